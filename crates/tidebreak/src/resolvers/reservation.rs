//! Who gets a share of what is scarce: the greater priority, then the earlier wish, then the lower
//! id.

use crate::plugins::damage_control::teams;
use crate::proposals::{Proposals, Reserve};
use crate::scratch::Scratch;
use crate::setup::Setup;

/// Hand out the damage-control teams of every hull.
pub fn resolve(setup: &Setup, proposals: &mut Proposals, scratch: &mut Scratch) {
    scratch.teams.fill([0.0; 3]);
    // Wishes of one hull stand together, those that come first first.
    proposals.reserve.sort_unstable_by_key(|wish| {
        (wish.ship, std::cmp::Reverse(wish.priority), wish.origin.sequence, wish.origin.source)
    });
    let mut first = 0;
    while first < proposals.reserve.len() {
        let ship = proposals.reserve[first].ship;
        let count = proposals.reserve[first..].iter().take_while(|wish| wish.ship == ship).count();
        let hull = &setup.hulls[ship as usize];
        let available = setup.tables.damage.repair.teams[hull.size as usize] as f32;
        let wishes = &proposals.reserve[first..first + count];
        grant(wishes, available, &mut scratch.teams[ship as usize]);
        first += count;
    }
}

/// Serve wishes in order until nothing is left.
fn grant(wishes: &[Reserve], mut available: f32, granted: &mut [f32; 3]) {
    for wish in wishes {
        let given = wish.amount.min(available);
        available -= given;
        let place = match wish.priority {
            teams::WATER => 0,
            teams::FIRE => 1,
            _ => 2,
        };
        granted[place] += given;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposals::{Origin, Plugin};

    fn wish(priority: u8, amount: f32) -> Reserve {
        let plugin = Plugin::DamageControl;
        let origin = Origin { source: 0, plugin, sequence: 0, cause: 0, trace: 0 };
        Reserve { origin, ship: 0, amount, priority }
    }

    #[test]
    fn water_goes_before_fire_and_repair_takes_what_is_left() {
        let mut granted = [0.0; 3];
        let wishes = [wish(teams::WATER, 3.0), wish(teams::FIRE, 2.0), wish(teams::REPAIR, 4.0)];
        grant(&wishes, 4.0, &mut granted);
        assert_eq!(granted, [3.0, 1.0, 0.0]);
        granted = [0.0; 3];
        grant(&wishes[1..], 4.0, &mut granted);
        assert_eq!(granted, [0.0, 2.0, 2.0]);
    }
}
