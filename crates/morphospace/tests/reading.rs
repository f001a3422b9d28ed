//! Stamps touch what they say, and queries tell what is there.

use astrarium_morphospace::{
    FOVEA_SIZE, Falloff, Field, FieldError, Op, Presets, Shape, Space, Spec, Stamp,
};
use proptest::prelude::*;

const HEAT: Field = Field::Temperature;

fn space(size_m: f32, cell_m: f32) -> Space {
    Space::new(&Spec::new(size_m, size_m, cell_m)).expect("a sound spec")
}

fn values(space: &Space, field: Field, slab: u8) -> Vec<f32> {
    let (nx, ny) = space.cells();
    let mut out = vec![0.0; (nx * ny) as usize];
    space.plane(field, slab, &mut out);
    out
}

fn disc(x: f32, y: f32, radius: f32) -> Shape {
    Shape::Disc { centre: (x, y), radius }
}

fn stamp(space: &mut Space, shape: Shape, field: Field, op: Op, value: f32) {
    space.stamp(&Stamp::new(shape, 1, Falloff::None).with(field, op, value));
}

#[test]
fn ops_do_what_they_are_called() {
    let cases = [
        (Op::Set, 400.0, 400.0),
        (Op::Add, 7.0, 300.0),
        (Op::Subtract, 3.0, 290.0),
        (Op::Multiply, 2.0, 586.0),
        (Op::Max, 300.0, 300.0),
        (Op::Max, 200.0, 293.0),
        (Op::Min, 200.0, 200.0),
        (Op::Lerp(0.5), 493.0, 393.0),
        (Op::Add, 1e9, 10_000.0),
        (Op::Subtract, 1e9, 0.0),
    ];
    for (op, value, expected) in cases {
        let mut space = space(2000.0, 125.0);
        stamp(&mut space, disc(0.0, 0.0, 500.0), HEAT, op, value);
        assert_eq!(space.point(HEAT, (10.0, 10.0), 0), expected, "{op:?} {value}");
        assert_eq!(space.point(HEAT, (10.0, 10.0), 1), 283.0, "another slab changed");
    }
}

#[test]
fn a_linear_stamp_weakens_outwards() {
    let mut space = space(4000.0, 125.0);
    let shape = disc(62.5, 62.5, 1000.0);
    space.stamp(&Stamp::new(shape, 1, Falloff::Linear).with(HEAT, Op::Add, 100.0));
    assert_eq!(space.point(HEAT, (62.5, 62.5), 0), 393.0);
    assert_eq!(space.point(HEAT, (562.5, 62.5), 0), 343.0);
    assert_eq!(space.point(HEAT, (62.5, 1062.5), 0), 293.0);
}

#[test]
fn a_shape_between_cell_middles_touches_its_cell_by_its_size() {
    let mut space = space(2000.0, 125.0);
    stamp(&mut space, disc(10.0, 10.0, 20.0), HEAT, Op::Add, 1000.0);
    let share = std::f32::consts::PI * 400.0 / (125.0 * 125.0);
    let found = space.point(HEAT, (10.0, 10.0), 0) - 293.0;
    assert!((found / (1000.0 * share) - 1.0).abs() < 1e-4, "{found}");
    assert_eq!(values(&space, HEAT, 0).iter().filter(|&&value| value != 293.0).count(), 1);
}

#[test]
fn a_stamp_that_changes_nothing_stores_nothing() {
    let mut space = space(8000.0, 125.0);
    let before = space.hash();
    stamp(&mut space, disc(0.0, 0.0, 900.0), Field::Occupancy, Op::Subtract, 0.8);
    stamp(&mut space, disc(99_000.0, 0.0, 900.0), HEAT, Op::Add, 100.0);
    assert_eq!((space.stored_tiles(), space.hash()), (0, before));
}

#[test]
fn a_flat_space_stays_as_it_was() {
    let mut space = Space::flat(&Spec::new(8000.0, 8000.0, 250.0)).expect("a sound spec");
    space.stamp(&Presets::STANDARD.explosion((0.0, 0.0), 900.0, 1.0, 0b111));
    space.step(1.0);
    assert_eq!(space.stored_tiles(), 0);
    assert_eq!(space.point(Field::Noise, (0.0, 0.0), 0), 20.0);
}

#[test]
fn what_is_laid_down_is_the_ambient_of_its_cells() {
    let mut space = space(4000.0, 125.0);
    let rock: Vec<f32> = (0..32 * 32).map(|at| f32::from(at % 32 == 20)).collect();
    space.load_static(Field::Occupancy, 0, &rock).expect("a plane that fits");
    assert_eq!(space.stored_tiles(), 0);
    let on_rock = (-2000.0 + 20.5 * 125.0, 0.0);
    assert_eq!(space.point(Field::Occupancy, on_rock, 0), 1.0);
    let ray = space.ray(Field::Occupancy, (-1900.0, 300.0), (1900.0, 300.0), 0);
    assert_eq!(ray.max, 1.0);
    assert!((ray.integral - 125.0).abs() < 0.1, "{}", ray.integral);
    // A clone shares it, a reset keeps it, a stamp changes only its own world.
    let mut blasted = space.clone();
    blasted.stamp(&Presets::STANDARD.explosion(on_rock, 300.0, 1.0, 1));
    assert!(blasted.point(Field::Occupancy, on_rock, 0) < 1.0);
    assert_eq!(space.point(Field::Occupancy, on_rock, 0), 1.0);
    blasted.reset();
    assert_eq!(blasted, space);
}

#[test]
fn rays_add_up_what_they_pass() {
    let mut space = space(4000.0, 125.0);
    let square = Shape::Box { centre: (0.0, 0.0), half: (500.0, 500.0), heading: 0.0 };
    stamp(&mut space, square, Field::Smoke, Op::Set, 0.5);
    let through = |from, to| space.ray(Field::Smoke, from, to, 0);
    let straight = through((-1500.0, 10.0), (1500.0, 10.0));
    assert!((straight.integral - 500.0).abs() < 0.01 && straight.max == 0.5, "{straight:?}");
    let slanted = through((-9000.0, -9000.0), (9000.0, 9000.0));
    assert!((slanted.integral - 500.0 * 2f32.sqrt()).abs() < 0.1, "{slanted:?}");
    assert_eq!(through((-1500.0, 900.0), (1500.0, 900.0)).max, 0.0);
    let there = through((-1700.0, -123.0), (1311.0, 777.0));
    let back = through((1311.0, 777.0), (-1700.0, -123.0));
    assert!((there.integral - back.integral).abs() < 0.01);
    assert_eq!(through((0.0, 0.0), (0.0, 0.0)).max, 0.5);
}

#[test]
fn bilinear_goes_smoothly_between_middles() {
    let mut space = space(2000.0, 125.0);
    stamp(&mut space, disc(62.5, 62.5, 10.0), HEAT, Op::Set, 393.0);
    let at = |x| space.bilinear(HEAT, (x, 62.5), 0);
    assert_eq!((at(62.5), at(187.5)), (393.0, 293.0));
    assert!((at(125.0) - 343.0).abs() < 0.01);
    assert_eq!(space.bilinear(HEAT, (5000.0, 0.0), 0), 293.0);
}

#[test]
fn volumes_speak_by_the_fields_own_aggregate() {
    let mut space = space(4000.0, 125.0);
    stamp(&mut space, disc(0.0, 0.0, 300.0), Field::Noise, Op::Set, 90.0);
    stamp(&mut space, disc(0.0, 0.0, 300.0), HEAT, Op::Set, 393.0);
    stamp(&mut space, disc(0.0, 0.0, 1500.0), Field::Material, Op::Set, 7.0);
    stamp(&mut space, disc(0.0, 0.0, 300.0), Field::Material, Op::Set, 200.0);
    let whole = disc(0.0, 0.0, 1000.0);
    assert_eq!(space.volume(Field::Noise, &whole, 0, 0).value, 90.0);
    let heat = space.volume(HEAT, &whole, 0, 0);
    assert!(heat.value == heat.mean && heat.value > 293.0 && heat.value < 393.0);
    assert_eq!(space.volume(Field::Material, &whole, 0, 2).value, 7.0);
    let beside = space.volume(HEAT, &disc(90_000.0, 0.0, 10.0), 0, 0);
    assert_eq!((beside.count, beside.mean), (0, 293.0));
}

/// The figure of a view for temperature in slab 0.
fn seen(view: &[f32; FOVEA_SIZE], shell: usize, wedge: usize) -> f32 {
    view[(shell * 8 + wedge) * 4]
}

#[test]
fn a_fire_is_seen_in_its_shell_and_wedge_only() {
    let distances = [(0, 300.0), (1, 1200.0), (2, 5000.0)];
    for (cell_m, (shell, distance)) in
        [62.5, 125.0, 250.0].into_iter().flat_map(|cell_m| distances.map(|case| (cell_m, case)))
    {
        // At 300 m cells of 250 m are too coarse to tell eight directions apart.
        for turn in (0..8).filter(|_| 2.0 * cell_m < distance) {
            let angle = std::f32::consts::TAU * (turn as f32 / 8.0 + 0.01);
            let mut space = space(16_000.0, cell_m);
            let at = (31.0 + distance * angle.cos(), 31.0 + distance * angle.sin());
            stamp(&mut space, disc(at.0, at.1, 0.6 * cell_m), HEAT, Op::Set, 5000.0);
            let mut view = [0.0; FOVEA_SIZE];
            space.foveated((31.0, 31.0), std::f32::consts::TAU / 8.0, &mut view);
            for (s, w) in (0..3).flat_map(|s| (0..8).map(move |w| (s, w))) {
                let expected = s == shell && w == (turn + 7) % 8;
                assert_eq!(seen(&view, s, w) > 0.0, expected, "{cell_m} m, {turn}: {s} {w}");
            }
        }
    }
}

/// Figures for noise of a view that has one source only, by slab, shell and wedge.
fn shown(value: f32, slab: u8, off: (f32, f32)) -> Vec<(usize, f32)> {
    let mut space = space(8000.0, 125.0);
    let mut view = [0.0; FOVEA_SIZE];
    space.foveated((0.0, 0.0), 0.7, &mut view);
    let quiet = view;
    space.show(Field::Noise, value, slab, off, &mut view);
    let pairs = view.iter().zip(&quiet).enumerate();
    let changed = pairs.filter(|(_, (now, before))| now != before);
    changed.map(|(at, (now, _))| ((at - 1) / 4, *now)).collect()
}

#[test]
fn what_lies_in_no_field_is_shown_in_its_slab_shell_and_wedge() {
    for turn in 0..64 {
        // The middle of a wedge and what lies to both sides of it.
        let angle = std::f32::consts::TAU * (turn as f32 + 0.01) / 64.0;
        for (shell, distance) in [(0, 499.0), (1, 501.0), (2, 7999.0)] {
            let off = (distance * angle.cos(), distance * angle.sin());
            let wedge = (turn + 4) / 8 % 8;
            assert_eq!(shown(100.0, 1, off), [(24 + shell * 8 + wedge, 0.0)], "{turn}");
        }
    }
    assert_eq!(shown(100.0, 0, (0.0, 0.0)), [(0, 0.0)], "the observer's own is ahead");
    assert_eq!(shown(100.0, 0, (0.0, 8000.0)), []);
    assert_eq!(shown(5.0, 0, (100.0, 0.0)), [], "the sea itself is louder");
    assert_eq!(shown(900.0, 0, (100.0, 0.0)), [(0, 1.0)]);
}

#[test]
fn what_is_shown_to_port_is_shown_to_starboard_in_a_mirror() {
    for (ahead, port) in [(3.0, 1.0), (1.0, 3.0), (-2.0, 2.0), (-1.0, 0.1), (1.0, 0.414_213_57)] {
        for scale in [100.0, 1000.0, 2500.0] {
            let at = |side: f32| shown(100.0, 0, (scale * ahead, side * scale * port));
            let mirrored =
                at(-1.0).into_iter().map(|(bin, value)| (bin / 8 * 8 + (8 - bin % 8) % 8, value));
            assert_eq!(at(1.0), mirrored.collect::<Vec<_>>());
        }
    }
}

#[test]
fn an_empty_sea_looks_the_same_everywhere() {
    let (mut here, mut off_map) = ([9.0; FOVEA_SIZE], [9.0; FOVEA_SIZE]);
    let mut space = space(8000.0, 125.0);
    space.foveated((100.0, 100.0), 0.3, &mut here);
    stamp(&mut space, disc(-3900.0, -3900.0, 99.0), HEAT, Op::Set, 900.0);
    space.foveated((60_000.0, 0.0), 2.0, &mut off_map);
    assert_eq!(here, off_map);
    assert_eq!(here[..4], [0.0, -0.8, -1.0, -1.0]);
}

#[test]
fn what_cannot_be_built_is_refused_with_the_setting_and_the_fix() {
    let refused = |change: &dyn Fn(&mut Spec)| {
        let mut spec = Spec::new(4000.0, 4000.0, 125.0);
        change(&mut spec);
        Space::new(&spec).expect_err("refused").to_string()
    };
    assert!(refused(&|spec| spec.width_m = f32::NAN).starts_with("width_m: NaN"));
    assert!(refused(&|spec| spec.slabs = 17).contains("1 to 16"));
    assert!(
        refused(&|spec| spec.cell_m = 20.0).contains("smoke")
            || refused(&|spec| spec.cell_m = 20.0).contains("temperature")
    );
    assert!(refused(&|spec| spec.ambient.set(HEAT, 1, -3.0)).contains("temperature in slab 1"));
    let mut space = space(4000.0, 125.0);
    let error = space.load_static(Field::Depth, 0, &[1.0; 7]).expect_err("too few");
    assert_eq!(error, FieldError::PlaneSize { field: "depth", got: 7, expected: 1024 });
    assert!(Field::named("warmth").expect_err("unknown").to_string().contains("temperature"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn stamps_change_only_cells_with_their_middle_inside(
        x in -2500.0f32..2500.0, y in -2500.0f32..2500.0,
        length in 100.0f32..900.0, width in 100.0f32..900.0, heading in -4.0f32..4.0,
        kind in 0u8..3,
    ) {
        let shape = match kind {
            0 => disc(x, y, length),
            1 => Shape::Box { centre: (x, y), half: (length, width), heading },
            _ => Shape::Capsule { from: (x, y), to: (x + length, y - width), radius: width },
        };
        let inside = |at: (f32, f32)| {
            let (dx, dy) = (f64::from(at.0 - x), f64::from(at.1 - y));
            let (length, width) = (f64::from(length), f64::from(width));
            match kind {
                0 => dx.hypot(dy) - length,
                1 => {
                    let (sin, cos) = f64::from(heading).sin_cos();
                    ((dx * cos + dy * sin).abs() - length).max((dy * cos - dx * sin).abs() - width)
                }
                _ => {
                    let share = (dx * length - dy * width) / (length * length + width * width);
                    let share = share.clamp(0.0, 1.0);
                    (dx - share * length).hypot(dy + share * width) - width
                }
            }
        };
        let mut space = space(4000.0, 125.0);
        stamp(&mut space, shape, HEAT, Op::Set, 400.0);
        let all = values(&space, HEAT, 0);
        let count = all.iter().filter(|&&value| value == 400.0).count();
        for (place, value) in all.into_iter().enumerate() {
            let middle = |at: usize| -2000.0 + (at as f32 + 0.5) * 125.0;
            let beyond = inside((middle(place % 32), middle(place / 32)));
            if beyond.abs() > 0.01 && count > 1 {
                prop_assert_eq!(value == 400.0, beyond < 0.0, "cell {} is {} m beyond", place, beyond);
            }
        }
    }

    #[test]
    fn the_pyramid_stays_within_the_cells_it_sums_up(
        fires in prop::collection::vec((-3000.0f32..3000.0, -3000.0f32..3000.0, 50.0f32..900.0, -200.0f32..2000.0), 1..6),
        at in (-2000.0f32..2000.0, -2000.0f32..2000.0), radius in 300.0f32..2500.0,
        cells in 20u32..50,
    ) {
        let mut space = space(cells as f32 * 125.0, 125.0);
        for (x, y, radius, kelvin) in fires {
            stamp(&mut space, disc(x, y, radius), HEAT, Op::Add, kelvin);
        }
        space.step(1.0);
        let whole = Shape::Box { centre: (0.0, 0.0), half: (9000.0, 9000.0), heading: 0.0 };
        let exact = space.volume(HEAT, &whole, 0, 0);
        prop_assert_eq!(exact.count, cells * cells);
        for level in 1..=4 {
            let coarse = space.volume(HEAT, &whole, 0, level);
            prop_assert_eq!((coarse.count, coarse.min, coarse.max), (exact.count, exact.min, exact.max));
            prop_assert!((coarse.mean - exact.mean).abs() < 1e-3 * exact.mean);
            prop_assert!((coarse.variance - exact.variance).abs() < 1e-2 * exact.variance + 1e-2);
            let part = space.volume(HEAT, &disc(at.0, at.1, radius), 0, level);
            prop_assert!(part.min >= exact.min && part.max <= exact.max);
            prop_assert!(part.mean >= part.min && part.mean <= part.max);
        }
    }
}
