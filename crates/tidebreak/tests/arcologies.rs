//! What is too large to sink is too large to take: it neither strikes its colours nor scuttles.

mod captains;

use std::sync::Arc;

use astrarium_tidebreak::arena::Arena;
use astrarium_tidebreak::mask::{self, OFFSETS, head};
use astrarium_tidebreak::orders::{CHOICES, Order, Origin};
use astrarium_tidebreak::package::HullOverrides;
use astrarium_tidebreak::state::Fate;
use astrarium_tidebreak::tables::SizeClass;
use astrarium_tidebreak::tick;

const SCUTTLE: u8 = 5;

/// A hull whose people have lost all courage, far from the enemy.
fn disheartened(class: &str, seed: u64, size: Option<SizeClass>) -> Arena {
    let sides = [("blue", class, -3000.0, 0.0, 0.0), ("red", "cutter", 3000.0, 0.0, 0.0)];
    let mut package = captains::staged(&sides);
    package.seed = seed;
    package.ships[0].crew.morale = 0.0;
    package.ships[0].hull_overrides =
        size.map(|size| HullOverrides { size: Some(size), ..HullOverrides::default() });
    captains::begin(package)
}

fn gave_up(class: &str, size: Option<SizeClass>) -> usize {
    let fates = (1..=20).map(|seed| {
        let mut arena = disheartened(class, seed, size);
        captains::run(&mut arena, 30, |_| {});
        arena.state.ships.fate[0]
    });
    fates.filter(|&fate| fate == Fate::Surrendered as u8).count()
}

#[test]
fn nobody_strikes_the_colours_of_an_arcology() {
    assert!(gave_up("frigate", None) > 10, "others do so without courage");
    assert_eq!(gave_up("arcology", None), 0);
    assert_eq!(gave_up("frigate", Some(SizeClass::XL)), 0, "it is the size that counts");
}

#[test]
fn an_arcology_is_not_offered_to_scuttle_and_does_not_when_told_to() {
    for (class, offers, fate) in
        [("frigate", 1, Fate::Scuttled), ("arcology", 0, Fate::Operational)]
    {
        let mut arena = disheartened(class, 1, None);
        Arc::make_mut(&mut arena.setup).package.scuttle_any_time = true;
        let mut offered = [0; CHOICES];
        mask::ship(&arena.setup, &arena.state, 0, &mut offered);
        let at = OFFSETS[head::UTILITY] + usize::from(SCUTTLE);
        assert_eq!(offered[at], offers, "{class}");
        arena.give(0, Order { utility: SCUTTLE, ..Order::default() }, Origin::External);
        tick::advance(&mut arena);
        assert_eq!(arena.state.ships.fate[0], fate as u8, "{class}");
        assert_eq!(arena.state.tally.rejected_orders, 1 - u32::from(offers), "{class}");
    }
}
