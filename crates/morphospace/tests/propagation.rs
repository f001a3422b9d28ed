//! What spreading and fading must keep to: totals, extremes, physics, symmetry, memory.

use astrarium_morphospace::{Falloff, Field, Op, Presets, Rate, Shape, Space, Spec, Stamp};
use proptest::prelude::*;

const HEAT: Field = Field::Temperature;

/// A space where nothing fades.
fn unfading(size_m: f32, cell_m: f32, slabs: u8) -> Space {
    let mut spec = Spec::new(size_m, size_m, cell_m);
    spec.slabs = slabs;
    spec.rates.iter_mut().for_each(|rate| rate.decay_per_s = 0.0);
    Space::new(&spec).expect("a sound spec")
}

fn values(space: &Space, field: Field, slab: u8) -> Vec<f32> {
    let (nx, ny) = space.cells();
    let mut out = vec![0.0; (nx * ny) as usize];
    space.plane(field, slab, &mut out);
    out
}

fn total(space: &Space, field: Field) -> f64 {
    let of_slab = |slab| values(space, field, slab).into_iter().map(f64::from).sum::<f64>();
    (0..space.spec().slabs).map(of_slab).sum()
}

fn add(space: &mut Space, field: Field, (centre, radius): ((f32, f32), f32), by: f32, slabs: u16) {
    let disc = Shape::Disc { centre, radius };
    space.stamp(&Stamp::new(disc, slabs, Falloff::None).with(field, Op::Add, by));
}

fn heat(space: &mut Space, centre: (f32, f32), radius: f32, kelvin: f32, slabs: u16) {
    add(space, HEAT, (centre, radius), kelvin, slabs);
}

#[test]
fn what_does_not_fade_is_kept_over_a_thousand_steps() {
    let mut space = unfading(8000.0, 125.0, 3);
    for (field, by) in [(HEAT, 900.0), (Field::Smoke, 0.9), (Field::Salinity, 10.0)] {
        add(&mut space, field, ((300.0, -200.0), 700.0), by, 0b001);
        add(&mut space, field, ((-2900.0, 3600.0), 500.0), 0.5 * by, 0b110);
    }
    let fields = [HEAT, Field::Smoke, Field::Salinity];
    let before = fields.map(|field| total(&space, field));
    for _ in 0..1000 {
        space.step(1.0);
    }
    for (field, before) in fields.into_iter().zip(before) {
        let drift = (total(&space, field) - before).abs() / before;
        assert!(drift < 1e-5, "{drift} of {field:?} came or went");
    }
}

#[test]
fn walls_of_rock_and_the_end_of_the_map_let_nothing_pass() {
    // 37 cells a side: the last tiles reach beyond the map.
    let mut space = unfading(37.0 * 125.0, 125.0, 3);
    let wall = Shape::Box { centre: (0.0, 0.0), half: (90.0, 9000.0), heading: 0.0 };
    space.stamp(&Stamp::new(wall, 0b111, Falloff::None).with(Field::Occupancy, Op::Set, 1.0));
    add(&mut space, Field::Smoke, ((-1500.0, 0.0), 600.0), 0.8, 0b001);
    let before = total(&space, Field::Smoke);
    for _ in 0..1000 {
        space.step(1.0);
    }
    assert!((total(&space, Field::Smoke) - before).abs() / before < 1e-5);
    assert_eq!(space.point(Field::Smoke, (1500.0, 0.0), 0), 0.0, "smoke went through rock");
    assert!(space.point(Field::Smoke, (-1500.0, 1500.0), 0) > 0.01, "no smoke spread in water");
}

#[test]
fn an_ambient_edge_takes_what_reaches_it() {
    let mut spec = Spec::new(2000.0, 2000.0, 125.0);
    spec.rates[HEAT as usize].decay_per_s = 0.0;
    spec.edges = astrarium_morphospace::Edges::Ambient;
    let mut space = Space::new(&spec).expect("a sound spec");
    let ambient = total(&space, HEAT);
    heat(&mut space, (0.0, 0.0), 500.0, 800.0, 0b001);
    let before = total(&space, HEAT) - ambient;
    for _ in 0..3000 {
        space.step(1.0);
    }
    assert!(total(&space, HEAT) - ambient < 0.2 * before);
}

/// Spread of one hot cell along x, in square metres, after `seconds`.
fn variance_along_x(cell_m: f32, seconds: u32) -> f64 {
    let mut spec = Spec::new(16_000.0, 16_000.0, cell_m);
    spec.slabs = 1;
    spec.rates[HEAT as usize].decay_per_s = 0.0;
    let mut space = Space::new(&spec).expect("a sound spec");
    let at = (0.5 * cell_m, 0.5 * cell_m);
    heat(&mut space, at, 0.5 * cell_m, 9000.0, 1);
    for _ in 0..seconds {
        space.step(1.0);
    }
    let (nx, _) = space.cells();
    let (mut sum, mut squares) = (0.0, 0.0);
    for (place, value) in values(&space, HEAT, 0).into_iter().enumerate() {
        let x = (place as u32 % nx) as f64 - f64::from(nx / 2);
        sum += f64::from(value) - 293.0;
        squares += (f64::from(value) - 293.0) * x * x * f64::from(cell_m * cell_m);
    }
    squares / sum
}

#[test]
fn a_point_spreads_as_fast_whatever_the_size_of_cells() {
    for cell_m in [250.0, 125.0, 62.5] {
        for seconds in [40, 160] {
            let expected = 2.0 * 0.05 * 125.0 * 125.0 * f64::from(seconds);
            let found = variance_along_x(cell_m, seconds);
            let off = (found / expected - 1.0).abs();
            assert!(off < 0.03, "{cell_m} m, {seconds} s: {found} for {expected} m²");
        }
    }
}

#[test]
fn fading_follows_the_exponential() {
    let mut spec = Spec::new(2000.0, 2000.0, 125.0);
    spec.rates[HEAT as usize] = Rate { spread_per_s: 0.0, decay_per_s: 0.002 };
    let mut space = Space::new(&spec).expect("a sound spec");
    heat(&mut space, (0.0, 0.0), 300.0, 9000.0, 0b001);
    for seconds in 1..=600 {
        space.step(1.0);
        let expected = 293.0 + 9000.0 * (-0.002 * f64::from(seconds)).exp();
        let found = f64::from(space.point(HEAT, (10.0, 10.0), 0));
        assert!(
            (found - expected).abs() / 10_000.0 < 1e-6,
            "{found} for {expected} after {seconds} s"
        );
    }
}

#[test]
fn a_lone_stamp_fades_until_nothing_is_stored() {
    let mut space = Space::new(&Spec::new(20_000.0, 20_000.0, 125.0)).expect("a sound spec");
    space.stamp(&Presets::STANDARD.fire((100.0, 100.0), 400.0, 1.0, 0b001));
    space.stamp(&Presets::STANDARD.ping((4000.0, 100.0), 900.0, 1.0, 0b010));
    space.stamp(&Presets::STANDARD.jam((4000.0, -5000.0), 900.0, 1.0, 0b001));
    assert!(space.stored_tiles() > 0 && space.active_tiles() > 0);
    let mut steps = 0;
    while space.stored_tiles() > 0 {
        space.step(1.0);
        steps += 1;
        assert!(steps < 5000, "{} tiles are still stored", space.stored_tiles());
    }
    assert_eq!(space.hash(), Space::new(space.spec()).expect("sound").hash());
}

/// The value at each cell of a square, moved to where `turn` puts that cell.
fn turned(plane: &[f32], side: usize, turn: impl Fn(usize, usize) -> (usize, usize)) -> Vec<f32> {
    let mut out = vec![0.0; plane.len()];
    for (place, &value) in plane.iter().enumerate() {
        let (x, y) = turn(place % side, place / side);
        out[y * side + x] = value;
    }
    out
}

/// Three fires whose places went through `turn`, after a while.
fn burnt(turn: impl Fn((f32, f32)) -> (f32, f32)) -> Space {
    let mut space = Space::new(&Spec::new(8000.0, 8000.0, 125.0)).expect("a sound spec");
    for (at, radius) in [((1000.0, 437.5), 500.0), ((-62.5, 2937.5), 300.0)] {
        space.stamp(&Presets::STANDARD.explosion(turn(at), radius, 0.9, 0b011));
    }
    let rock = Shape::Disc { centre: turn((1937.5, 1187.5)), radius: 400.0 };
    space.stamp(&Stamp::new(rock, 1, Falloff::None).with(Field::Occupancy, Op::Set, 1.0));
    for second in 0..60 {
        let (x, y) = (500.0 - 12.5 * second as f32, -1500.0);
        space.stamp(&Presets::STANDARD.fire(turn((x, y)), 187.5, 0.7, 0b001));
        space.step(1.0);
    }
    space
}

#[test]
fn mirrored_and_turned_worlds_stay_so_to_the_last_bit() {
    let (plain, mirrored) = (burnt(|at| at), burnt(|(x, y)| (-x, y)));
    let quarter = burnt(|(x, y)| (-y, x));
    for field in [HEAT, Field::Smoke, Field::Noise] {
        for slab in 0..3 {
            let plane = values(&plain, field, slab);
            let expected = turned(&plane, 64, |x, y| (63 - x, y));
            assert!(values(&mirrored, field, slab) == expected, "{field:?} {slab} mirrored");
            let expected = turned(&plane, 64, |x, y| (63 - y, x));
            assert!(values(&quarter, field, slab) == expected, "{field:?} {slab} turned");
        }
    }
}

/// The least and the largest of each cell and those beside it.
fn spans(plane: &[f32], side: usize) -> Vec<(f32, f32)> {
    let around = |place: usize| {
        let (x, y) = (place % side, place / side);
        let beside = [
            (x > 0).then(|| place - 1),
            (x + 1 < side).then(|| place + 1),
            (y > 0).then(|| place - side),
            (y + 1 < side).then(|| place + side),
        ];
        let own = (plane[place], plane[place]);
        beside
            .into_iter()
            .flatten()
            .fold(own, |(low, high), at| (low.min(plane[at]), high.max(plane[at])))
    };
    (0..plane.len()).map(around).collect()
}

/// A step adds up neighbours and goes through the distance to the ambient: both round, together by
/// less than three units in the last place of the largest number that takes part.
const ROUNDED: f32 = 3.0 * f32::EPSILON;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_value_leaves_the_span_of_its_neighbours_but_by_rounding(
        fires in prop::collection::vec((-1900.0f32..1900.0, -1900.0f32..1900.0, 50.0f32..800.0, -280.0f32..2000.0), 1..6),
        cells in prop::sample::select(vec![62.5f32, 125.0, 250.0]),
        steps in 1u32..40,
    ) {
        let mut space = unfading(4000.0, cells, 1);
        let side = space.cells().0 as usize;
        let ambient = space.point(HEAT, (0.0, 0.0), 0);
        for (x, y, radius, kelvin) in fires {
            heat(&mut space, (x, y), radius, kelvin, 1);
        }
        let mut last = spans(&values(&space, HEAT, 0), side);
        for _ in 0..steps {
            space.step(1.0);
            let plane = values(&space, HEAT, 0);
            for (&now, &(low, high)) in plane.iter().zip(&last) {
                let slack = ROUNDED * high.max(ambient);
                let inside = low - slack <= now && now <= high + slack;
                prop_assert!(inside, "{now} between neighbours of {low} to {high}");
            }
            last = spans(&plane, side);
        }
    }
}
