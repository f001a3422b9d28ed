//! How long the parts of a space take on this machine: `cargo run --release -p
//! astrarium-morphospace --example speed`. Prints one line of JSON; the Python bench reads it.

use std::hint::black_box;
use std::time::Instant;

use astrarium_morphospace::{FOVEA_SIZE, Falloff, Field, Op, Presets, Shape, Space, Spec, Stamp};

const MAP_M: f32 = 20_000.0;
/// What a battle changes; the other fields are laid down with the map.
const MOVING: [Field; 6] =
    [Field::Temperature, Field::Smoke, Field::Noise, Field::Signal, Field::SonarReturn, Field::Jam];

fn space(cell_m: f32) -> Space {
    Space::new(&Spec::new(MAP_M, MAP_M, cell_m)).expect("a sound spec")
}

/// Put fields off their ambient everywhere in all three slabs.
fn fill(space: &mut Space, fields: &[Field]) {
    let all = Shape::Box { centre: (0.0, 0.0), half: (MAP_M, MAP_M), heading: 0.0 };
    for &field in fields {
        let (low, high) = field.range();
        let value = low + 0.7 * (high - low);
        space.stamp(&Stamp::new(all, 0b111, Falloff::None).with(field, Op::Set, value));
    }
}

/// Least microseconds of a call over many short rounds: what it takes when nothing interferes.
fn least_us(calls: u32, mut call: impl FnMut(u32)) -> f64 {
    let round = |call: &mut dyn FnMut(u32)| {
        let begun = Instant::now();
        (0..calls).for_each(&mut *call);
        begun.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
    };
    (0..100).map(|_| round(&mut call)).fold(f64::INFINITY, f64::min)
}

fn step_us(fields: &[Field], share: f32) -> f64 {
    let mut space = space(125.0);
    if share == 1.0 {
        fill(&mut space, fields);
    } else {
        let half = 0.5 * MAP_M * share.sqrt() - 300.0;
        let square = Shape::Box { centre: (0.0, 0.0), half: (half, half), heading: 0.0 };
        for &field in fields {
            let (low, high) = field.range();
            let value = low + 0.7 * (high - low);
            space.stamp(&Stamp::new(square, 0b111, Falloff::None).with(field, Op::Set, value));
        }
    }
    // A thousandth of a second: nothing fades or spreads beyond its tiles while it is timed.
    least_us(5, |_| space.step(0.001))
}

/// A place that differs from call to call.
fn place(call: u32) -> (f32, f32) {
    let along = |by: u32| (call.wrapping_mul(by) % 12_000) as f32 - 6000.0;
    (along(7919), along(104_729))
}

#[allow(clippy::print_stdout)]
fn main() {
    let mut rows: Vec<(&str, f64)> = vec![
        ("step_temperature_all_us", step_us(&[Field::Temperature], 1.0)),
        ("step_battle_all_us", step_us(&[Field::Temperature, Field::Smoke, Field::Noise], 1.0)),
        ("step_all_us", step_us(&MOVING, 1.0)),
        ("step_part_us", step_us(&MOVING, 0.05)),
    ];
    let mut sea = space(125.0);
    let mut view = [0.0; FOVEA_SIZE];
    rows.push(("foveated_empty_us", least_us(200, |n| sea.foveated(place(n), 0.1, &mut view))));
    rows.push((
        "ray_empty_us",
        least_us(200, |n| {
            black_box(sea.ray(Field::Occupancy, place(n), place(n + 1), 0));
        }),
    ));
    fill(&mut sea, &MOVING);
    let blast = |n: u32| Presets::STANDARD.explosion(place(n), 500.0, 0.5, 0b001);
    rows.push(("stamp_us", least_us(200, |n| sea.stamp(&blast(n)))));
    let hot = |n: u32| {
        let disc = Shape::Disc { centre: place(n), radius: 500.0 };
        Stamp::new(disc, 1, Falloff::Linear).with(Field::Temperature, Op::Add, 1.0)
    };
    rows.push(("stamp_one_field_us", least_us(200, |n| sea.stamp(&hot(n)))));
    rows.push((
        "point_us",
        least_us(200, |n| {
            black_box(sea.point(Field::Temperature, place(n), 0));
        }),
    ));
    let disc = |n: u32| Shape::Disc { centre: place(n), radius: 2000.0 };
    rows.push((
        "volume_us",
        least_us(50, |n| {
            black_box(sea.volume(Field::Temperature, &disc(n), 0, 0));
        }),
    ));
    rows.push((
        "volume_level_2_us",
        least_us(50, |n| {
            black_box(sea.volume(Field::Temperature, &disc(n), 0, 2));
        }),
    ));
    rows.push((
        "ray_us",
        least_us(50, |n| {
            black_box(sea.ray(Field::Temperature, place(n), place(n + 1), 0));
        }),
    ));
    fill(&mut sea, &[Field::Occupancy]);
    rows.push((
        "foveated_us",
        least_us(50, |n| {
            sea.foveated(place(n), 0.01 * n as f32, &mut view);
        }),
    ));
    black_box(&view);
    for (name, cell_m) in [("memory_f1_mb", 250.0), ("memory_f2_mb", 125.0)] {
        let mut space = space(cell_m);
        fill(&mut space, &MOVING);
        space.step(1.0);
        space.foveated((0.0, 0.0), 0.0, &mut view);
        rows.push((name, space.memory_bytes() as f64 / 1e6));
    }
    let fields: Vec<_> =
        rows.iter().map(|(name, figure)| format!("\"{name}\": {figure:.4}")).collect();
    println!("{{{}}}", fields.join(", "));
}
