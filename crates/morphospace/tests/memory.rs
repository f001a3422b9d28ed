//! What a space takes: nothing per step once its tiles have been used, and little at all.
//!
//! One test only: the count is the whole process's.

mod counting;

use astrarium_morphospace::{FOVEA_SIZE, Falloff, Field, Op, Presets, Shape, Space, Spec, Stamp};

#[global_allocator]
static GLOBAL: counting::Counting = counting::Counting;

/// A minute of battle: ships under way, shells falling, sensors and observers looking.
fn fight(space: &mut Space, view: &mut [f32; FOVEA_SIZE]) {
    space.reset();
    for second in 0..60 {
        let along = 60.0 * second as f32;
        for ship in 0..8 {
            let at = (-2000.0 + along, 900.0 * ship as f32 - 3000.0);
            space.stamp(&Presets::STANDARD.wake(at, 125.0, 0b011));
            space.foveated(at, 0.1 * ship as f32, view);
            space.ray(Field::Smoke, at, (0.0, 0.0), 0);
            let disc = Shape::Disc { centre: at, radius: 1500.0 };
            space.volume(Field::Noise, &disc, 1, 1);
        }
        space.stamp(&Presets::STANDARD.explosion((along, -along), 300.0, 0.8, 0b001));
        space.stamp(&Presets::STANDARD.fire((along, 500.0), 200.0, 1.0, 0b001));
        space.step(1.0);
        space.hash();
    }
}

#[test]
fn a_battle_asks_for_no_memory_the_second_time() {
    let mut view = [0.0; FOVEA_SIZE];
    let mut space = Space::new(&Spec::new(20_000.0, 20_000.0, 125.0)).expect("a sound spec");
    fight(&mut space, &mut view);
    let (asked, bytes) = (counting::asked(), counting::bytes_out());
    fight(&mut space, &mut view);
    assert_eq!(counting::asked() - asked, 0, "allocations in a battle like the one before");
    assert_eq!(counting::bytes_out(), bytes);

    let all = Shape::Box { centre: (0.0, 0.0), half: (20_000.0, 20_000.0), heading: 0.0 };
    for (cell_m, most) in [(250.0, 1_000_000), (125.0, 4_000_000)] {
        let before = counting::bytes_out();
        let mut space = Space::new(&Spec::new(20_000.0, 20_000.0, cell_m)).expect("a sound spec");
        // All that a battle moves, everywhere at once.
        for field in [
            Field::Temperature,
            Field::Smoke,
            Field::Noise,
            Field::Signal,
            Field::SonarReturn,
            Field::Jam,
        ] {
            let value = 0.9 * field.range().1;
            space.stamp(&Stamp::new(all, 0b111, Falloff::None).with(field, Op::Set, value));
        }
        space.step(1.0);
        space.foveated((0.0, 0.0), 0.0, &mut view);
        // Tables of the foveated view are shared by all spaces with cells of one size.
        let tables = 450_000;
        let taken = counting::bytes_out() - before;
        assert!(taken < most + tables, "{taken} bytes at {cell_m} m");
        assert!((space.memory_bytes() as i64) < most, "{} bytes", space.memory_bytes());
    }
}
