//! Damage and the people who suffer it.

use serde::{Deserialize, Serialize};

use super::sources::version;

/// The people of a hull for which nobody says otherwise, each from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsualCrew {
    /// Gunnery.
    pub gunnery: f32,
    /// Engineering.
    pub engineering: f32,
    /// Morale.
    pub morale: f32,
    /// Fatigue.
    pub fatigue: f32,
    /// Morale of a faction of which nothing is said.
    pub faction_morale: f32,
}

/// What skill is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillFigures {
    /// Skill lost at full fatigue.
    pub fatigue_loss: f32,
    /// Dispersion factor without gunnery; gunnery is subtracted.
    pub dispersion_base: f32,
    /// Cooldown factor without gunnery.
    pub cooldown_base: f32,
    /// Taken off it at full gunnery.
    pub cooldown_gain: f32,
}

/// Who is hurt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CasualtyFigures {
    /// Share of the crew killed by damage of all HP.
    pub killed_share: f32,
    /// Wounded for each killed.
    pub wounded_per_killed: f32,
    /// Share killed of those left on a destroyed hull.
    pub lost_hull_killed: f32,
}

/// Growing tired.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FatigueFigures {
    /// Per second with an enemy in contact.
    pub per_s_in_contact: f32,
}

/// What moves morale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoraleFigures {
    /// By share of HP lost.
    pub per_damage_share: f32,
    /// By each ally lost near by.
    pub per_ally_lost: f32,
    /// How near.
    pub ally_lost_within_m: f32,
    /// By each enemy lost.
    pub per_enemy_lost: f32,
}

/// When a crew gives up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurrenderFigures {
    /// Seconds between two draws.
    pub every_s: f32,
    /// Morale below which they are made.
    pub threshold: f32,
    /// Added to it far from friends.
    pub isolated: f32,
    /// Faction morale above which a bonus holds them.
    pub high_faction_morale: f32,
    /// Taken off the threshold then.
    pub high_faction_bonus: f32,
    /// Chance at no morale.
    pub chance: f32,
}

/// What a whole battle does to the morale of a team's faction, and when it is decisive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BattleMoraleFigures {
    /// By share of the enemy's value lost.
    pub per_enemy_share_lost: f64,
    /// By share of the own value lost.
    pub per_own_share_lost: f64,
    /// By each hull that surrendered.
    pub per_surrender: f64,
    /// For a victory.
    pub won: f64,
    /// For a defeat.
    pub lost: f64,
    /// Least and most.
    pub bounds: [f64; 2],
    /// A victory is decisive from this share of the enemy's value on,
    pub decisive_enemy_share: f64,
    /// if the own share lost is at most this.
    pub decisive_own_share: f64,
}

/// Crew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrewTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// The usual people.
    pub usual: UsualCrew,
    /// Skill.
    pub skill: SkillFigures,
    /// Casualties.
    pub casualties: CasualtyFigures,
    /// Fatigue.
    pub fatigue: FatigueFigures,
    /// Morale.
    pub morale: MoraleFigures,
    /// Surrender.
    pub surrender: SurrenderFigures,
    /// After the battle.
    pub battle_morale: BattleMoraleFigures,
}

/// Critical hits on small hulls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriticalFigures {
    /// Chance at no damage.
    pub base: f32,
    /// Gain by share of max HP.
    pub per_share: f32,
    /// The most.
    pub max: f32,
    /// Mobility, weapons, sensors, fire, flooding.
    pub weights: [f32; 5],
    /// Health of a part that a critical hit put out of action but did not destroy.
    pub out_of_action_health: f32,
}

/// Components of medium hulls: propulsion, power, sensors, guns, tubes, deck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentFigures {
    /// Health of each, by share of max HP.
    pub hp_share: f32,
    /// Share of a hit that also strikes one.
    pub hit_share: f32,
    /// Health below which it gives nothing.
    pub output_floor: f32,
    /// Which one is struck.
    pub weights: [f32; 6],
    /// Which one a torpedo strikes.
    pub torpedo_weights: [f32; 6],
    /// What electric parts keep without power.
    pub without_power: f32,
}

impl ComponentFigures {
    /// What a part in this health gives: linear down to a floor, nothing below it.
    #[inline]
    #[must_use]
    pub fn given(&self, health: f32) -> f32 {
        if health < self.output_floor { 0.0 } else { health }
    }
}

/// Compartments of large hulls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompartmentFigures {
    /// How many; they share max HP.
    pub count: u32,
    /// Chance that fire or water passes a sound bulkhead.
    pub spread_sound_per_s: f32,
    /// And a broken one.
    pub spread_broken_per_s: f32,
    /// What all systems keep without reactor or CIC.
    pub command_lost_factor: f32,
    /// What guns and tubes keep without the bow battery.
    pub without_battery: f32,
}

/// Fire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FireFigures {
    /// Share of max HP per second.
    pub hp_share_per_s: f32,
    /// Chance per second that it goes out.
    pub out_base: f32,
    /// Added at full engineering.
    pub out_engineering: f32,
}

/// Water.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FloodingFigures {
    /// Share of max HP per second.
    pub hp_share_per_s: f32,
    /// Speed kept.
    pub speed_factor: f32,
    /// Chance per second that it is stopped.
    pub stop_base: f32,
    /// Added at full engineering.
    pub stop_engineering: f32,
}

/// Damage control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepairFigures {
    /// Teams by size.
    pub teams: [u32; 4],
    /// Repaired per second and team.
    pub hp_share_per_s: f32,
    /// Added to engineering, the factor of that rate.
    pub skill_base: f32,
    /// No part is repaired beyond this share.
    pub limit: f32,
}

/// When a hull is lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FateFigures {
    /// A medium hull is destroyed by damage below zero beyond this share.
    pub overkill_share: f32,
    /// A large hull is destroyed with so many gone.
    pub compartments_gone: u32,
    /// Chance that a burning, broken magazine takes it.
    pub magazine_chance_per_s: f32,
    /// An arcology never falls below.
    pub arcology_hp_floor: f32,
}

/// What a wreck is worth, by share of its build cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SalvageFigures {
    /// Afloat.
    pub disabled: f64,
    /// On the bottom.
    pub destroyed: f64,
}

/// How hits become losses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DamageTable {
    /// The version of the table's shape.
    #[serde(deserialize_with = "version")]
    pub version: u32,
    /// Armour never stops more than all but this.
    pub least_share: f32,
    /// Armour that counts against underwater warheads.
    pub underwater_armour_share: f32,
    /// Small hulls.
    pub critical: CriticalFigures,
    /// Medium hulls.
    pub component: ComponentFigures,
    /// Large hulls.
    pub compartment: CompartmentFigures,
    /// Fire.
    pub fire: FireFigures,
    /// Water.
    pub flooding: FloodingFigures,
    /// Damage control.
    pub repair: RepairFigures,
    /// Fates.
    pub fate: FateFigures,
    /// Wrecks.
    pub salvage: SalvageFigures,
}
