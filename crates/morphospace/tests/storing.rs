//! The hash, equality and the stored form follow the values and nothing else.

use astrarium_morphospace::{Falloff, Field, Op, Presets, Shape, Space, Spec, Stamp};

fn battle() -> Space {
    let mut space = Space::new(&Spec::new(37.0 * 125.0, 6000.0, 125.0)).expect("a sound spec");
    let depth: Vec<f32> = (0..37 * 48).map(|at| 10.0 * (at % 37) as f32).collect();
    space.load_static(Field::Depth, 0, &depth).expect("a plane that fits");
    for second in 0..20 {
        let at = (100.0 * second as f32 - 900.0, 400.0);
        space.stamp(&Presets::STANDARD.explosion(at, 350.0, 0.7, 0b011));
        space.step(1.0);
    }
    space
}

fn set(space: &mut Space, x: f32, value: f32) {
    let disc = Shape::Disc { centre: (x, 0.0), radius: 80.0 };
    space.stamp(&Stamp::new(disc, 1, Falloff::None).with(Field::Noise, Op::Set, value));
}

#[test]
fn the_hash_follows_every_change_and_not_the_order_of_changes() {
    let empty = || Space::new(&Spec::new(8000.0, 8000.0, 125.0)).expect("a sound spec");
    let (mut one, mut other) = (empty(), empty());
    let untouched = one.hash();
    let places = [-3500.0, 3000.0, 0.0, -1500.0];
    for (nth, &x) in places.iter().enumerate() {
        let before = one.hash();
        set(&mut one, x, 50.0 + nth as f32);
        assert_ne!(one.hash(), before);
    }
    // The other way round, with a detour: slots differ, values do not.
    set(&mut other, 1500.0, 99.0);
    for (nth, &x) in places.iter().enumerate().rev() {
        set(&mut other, x, 50.0 + nth as f32);
    }
    assert!(one != other && one.hash() != other.hash());
    set(&mut other, 1500.0, 20.0);
    assert_eq!(one, other);
    assert_eq!(one.hash(), other.hash());
    assert_eq!(postcard::to_allocvec(&one), postcard::to_allocvec(&other));
    one.reset();
    assert_eq!(one.hash(), untouched);
}

#[test]
fn a_restored_space_goes_on_as_if_nothing_had_happened() {
    let mut space = battle();
    let bytes = postcard::to_allocvec(&space).expect("stored");
    let mut restored: Space = postcard::from_bytes(&bytes).expect("restored");
    assert_eq!(space, restored);
    assert_eq!(space.active_tiles(), restored.active_tiles());
    for _ in 0..50 {
        space.step(1.0);
        restored.step(1.0);
        assert_eq!(space.hash(), restored.hash());
    }
    assert_eq!(restored.point(Field::Depth, (0.0, 0.0), 0), 180.0);
}

#[test]
fn noise_in_place_of_a_stored_space_is_refused_or_sound() {
    let bytes = postcard::to_allocvec(&battle()).expect("stored");
    for cut in [0, 1, 40, bytes.len() / 2, bytes.len() - 1] {
        assert!(postcard::from_bytes::<Space>(&bytes[..cut]).is_err());
    }
    let mut word = 0x9e37_79b9_u64;
    for _ in 0..300 {
        let mut broken = bytes.clone();
        for _ in 0..3 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (word >> 33) as usize % broken.len();
            broken[at] = (word >> 20) as u8;
        }
        if let Ok(mut space) = postcard::from_bytes::<Space>(&broken) {
            space.step(1.0);
            space.hash();
        }
    }
}
