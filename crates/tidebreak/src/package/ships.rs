//! A ship as it enters the battle.

use std::collections::BTreeMap;

use serde::Serialize;

use super::map::COORDINATE_MAX_M;
use super::reading::{Node, Reading};
use crate::tables::{Hull, SizeClass, Tables};

/// Senses a hull may have, in the order of the table's columns.
pub const SENSES: [&str; 4] = ["radar", "sonar", "visual", "esm"];
/// Layers by number.
pub const LAYERS: [&str; 3] = ["surface", "submerged", "abyssal"];
/// Missions of a squadron by number.
pub const MISSIONS: [&str; 4] = ["cap", "strike", "scout", "asw"];
/// Objectives that ships can be given.
pub const OBJECTIVES: [&str; 5] = ["DESTROY", "PROTECT", "RAID", "EVADE", "DELIVER"];
/// Ways to win that can meet an open objective of the winning side.
pub const MET_BY: [&str; 3] = ["annihilation", "objective", "time_limit"];
/// The most ships that one objective names.
pub const GROUP_MAX: usize = 64;
/// The most mounts of a hull.
pub const MOUNTS_MAX: usize = 32;
const PEOPLE_MAX: u32 = 1_000_000;

/// Figures of the class that this one hull replaces.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "each replaces the figure of its name in the hull table")]
pub struct HullOverrides {
    pub size: Option<SizeClass>,
    pub radius_m: Option<f64>,
    pub mass_t: Option<f64>,
    pub speed_max: Option<[f64; 3]>,
    pub accel: Option<f64>,
    pub turn_rate: Option<f64>,
    pub hp: Option<f64>,
    pub armour: Option<f64>,
    pub fuel_t: Option<f64>,
    pub burn_kg_s: Option<f64>,
    pub radar_factor: Option<f64>,
    pub noise_db: Option<f64>,
}

/// Layers a hull may enter in this battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Capabilities {
    pub can_surface: bool,
    pub can_submerge: bool,
    pub can_abyssal: bool,
}

impl Capabilities {
    /// By layer number.
    #[must_use]
    pub const fn by_layer(&self) -> [bool; 3] {
        [self.can_surface, self.can_submerge, self.can_abyssal]
    }
}

/// One mount and what is in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct WeaponSnapshot {
    pub slot: u32,
    pub weapon: String,
    pub rounds_loaded: u32,
    pub condition: f64,
}

/// The people who fight the ship.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it; skills run from 0 to 1")]
pub struct CrewSnapshot {
    pub fit: u32,
    pub wounded: u32,
    pub marines: u32,
    pub gunnery: f64,
    pub engineering: f64,
    pub morale: f64,
    pub fatigue: f64,
}

/// Craft aboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SquadronSnapshot {
    /// Its name, of which there is one in the battle.
    pub squadron_id: String,
    /// How many craft: 4 to 12 when it is whole, fewer after losses.
    pub craft: u32,
    /// One of [`MISSIONS`].
    pub mission: String,
}

/// Where the ship is when the battle begins.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct InitialState {
    pub x: f64,
    pub y: f64,
    pub heading: f64,
    pub speed: f64,
    pub layer: String,
    pub hp: f64,
}

impl InitialState {
    /// The layer's number.
    #[must_use]
    pub fn layer_number(&self) -> usize {
        LAYERS.iter().position(|layer| *layer == self.layer).unwrap_or(0)
    }
}

/// A circle that an objective is about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ObjectiveZone {
    pub x: f64,
    pub y: f64,
    pub radius_m: f64,
}

/// What a ship is sent to achieve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Objective {
    /// One of [`OBJECTIVES`].
    #[serde(rename = "type")]
    pub kind: String,
    /// The ship it is against.
    pub target: Option<String>,
    /// The ship it is for.
    pub asset: Option<String>,
    /// The ships it is against, where they are a group.
    pub targets: Vec<String>,
    /// The ships it is for, where they are a group.
    pub assets: Vec<String>,
    /// How many of the group must be lost (targets) or kept (assets); all of them by default.
    pub at_least: Option<u32>,
    /// The ways to win, of [`MET_BY`], that also meet it while it is open.
    pub met_by: Vec<String>,
    /// The waters it is about.
    pub zone: Option<ObjectiveZone>,
    /// Where to go.
    pub destination: Option<[f64; 2]>,
    /// 0 to 1.
    pub priority: f64,
    /// By when, in seconds of battle; the time limit if not said.
    pub deadline_s: Option<u32>,
}

/// One ship or platform of the package.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names are those of the arena.v1 format")]
pub struct ShipSnapshot {
    pub ship_id: String,
    pub team_id: String,
    pub hull_class: String,
    pub hull_overrides: Option<HullOverrides>,
    pub capabilities: Capabilities,
    pub sensors: Vec<String>,
    pub weapons: Vec<WeaponSnapshot>,
    pub decoys: u32,
    pub link_tier: u32,
    pub crew: CrewSnapshot,
    pub passengers: u32,
    pub cargo: BTreeMap<String, f64>,
    pub fuel_t: f64,
    pub squadrons: Vec<SquadronSnapshot>,
    pub initial_state: InitialState,
    pub objective: Option<Objective>,
    pub fleet_id: Option<String>,
    pub is_flagship: bool,
}

impl ShipSnapshot {
    /// A whole, full ship of a class with its usual people, at rest on the surface of the origin.
    #[must_use]
    pub fn of_class(hull: &Hull, ship_id: &str, team_id: &str, tables: &Tables) -> Self {
        let loadout = &tables.mounts[usize::from(hull.id)];
        let ranges = &tables.sensors.hulls[usize::from(hull.id)];
        let reach = [ranges.radar_m, ranges.sonar_m, ranges.visual_m, ranges.esm_m];
        let usual = &tables.crew.usual;
        let weapons = (0..).zip(&loadout.mounts).map(|(slot, mount)| WeaponSnapshot {
            slot,
            weapon: tables.weapon(mount.weapon).name.clone(),
            rounds_loaded: mount.rounds,
            condition: 1.0,
        });
        let squadrons = (0..loadout.squadrons).map(|number| SquadronSnapshot {
            squadron_id: format!("{ship_id}-{number}"),
            craft: loadout.craft,
            mission: MISSIONS[number as usize % MISSIONS.len()].to_owned(),
        });
        Self {
            ship_id: ship_id.to_owned(),
            team_id: team_id.to_owned(),
            hull_class: hull.name.clone(),
            hull_overrides: None,
            capabilities: Capabilities {
                can_surface: true,
                can_submerge: hull.enters(1),
                can_abyssal: hull.enters(2),
            },
            sensors: (SENSES.iter().zip(reach))
                .filter(|(_, metres)| *metres > 0.0)
                .map(|(sense, _)| (*sense).to_owned())
                .collect(),
            weapons: weapons.collect(),
            decoys: if loadout.mounts.is_empty() { 0 } else { tables.weapons.decoy.per_hull },
            link_tier: u32::from(hull.link_tier),
            crew: CrewSnapshot {
                fit: hull.crew,
                wounded: 0,
                marines: hull.marines,
                gunnery: exact(usual.gunnery),
                engineering: exact(usual.engineering),
                morale: exact(usual.morale),
                fatigue: exact(usual.fatigue),
            },
            passengers: hull.civilians,
            cargo: BTreeMap::new(),
            fuel_t: exact(hull.fuel_t),
            squadrons: squadrons.collect(),
            initial_state: InitialState {
                x: 0.0,
                y: 0.0,
                heading: 0.0,
                speed: 0.0,
                layer: LAYERS[0].to_owned(),
                hp: exact(hull.hp),
            },
            objective: None,
            fleet_id: None,
            is_flagship: false,
        }
    }

    /// The ship as JSON.
    ///
    /// # Panics
    /// Never: every key is a text.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a ship has only texts for keys")
    }

    /// The class with what this hull replaces; nothing if no class has the name.
    #[must_use]
    pub fn hull(&self, tables: &Tables) -> Option<Hull> {
        let mut hull = tables.hull_named(&self.hull_class)?.clone();
        let Some(own) = &self.hull_overrides else { return Some(hull) };
        let replace = |figure: &mut f32, value: Option<f64>| {
            if let Some(value) = value {
                *figure = value as f32;
            }
        };
        hull.size = own.size.unwrap_or(hull.size);
        if let Some(speeds) = own.speed_max {
            hull.speed_max = speeds.map(|speed| speed as f32);
        }
        replace(&mut hull.radius_m, own.radius_m);
        replace(&mut hull.mass_t, own.mass_t);
        replace(&mut hull.accel, own.accel);
        replace(&mut hull.turn_rate, own.turn_rate);
        replace(&mut hull.hp, own.hp);
        replace(&mut hull.armour, own.armour);
        replace(&mut hull.fuel_t, own.fuel_t);
        replace(&mut hull.burn_kg_s, own.burn_kg_s);
        replace(&mut hull.radar_factor, own.radar_factor);
        replace(&mut hull.noise_db, own.noise_db);
        if hull.enters(1) {
            // A class that never dived has no times of its own.
            let usual = tables.layers.transition.usual_s;
            for (seconds, usual) in hull.transition_s.iter_mut().zip(usual) {
                if *seconds <= 0.0 {
                    *seconds = usual;
                }
            }
        }
        Some(hull)
    }
}

/// The decimal number that the table's `f32` was written as, so that packages read well.
fn exact(figure: f32) -> f64 {
    figure.to_string().parse().unwrap_or(f64::from(figure))
}

/// An angle in [-π, π].
pub(super) fn angle(node: Node<'_, '_>) -> Reading<f64> {
    node.number(-std::f64::consts::PI..=std::f64::consts::PI)
}

fn share(node: Node<'_, '_>) -> Reading<f64> {
    node.number(0.0..=1.0)
}

fn coordinate(node: Node<'_, '_>) -> Reading<f64> {
    node.number(-COORDINATE_MAX_M..=COORDINATE_MAX_M)
}

impl ShipSnapshot {
    pub(super) fn read(node: Node<'_, '_>) -> Reading<Self> {
        let ship = node.object()?;
        // Known to later majors; here they may be given, must be objects, and change nothing.
        for later in ["supply", "damage_state", "leadership", "siege_state"] {
            ship.may(later, |node| node.object().map(|_| ()))?;
        }
        Ok(Self {
            ship_id: ship.need("ship_id", |node| node.name())?,
            team_id: ship.need("team_id", |node| node.name())?,
            hull_class: ship.need("hull_class", |node| node.name())?,
            hull_overrides: ship.may("hull_overrides", read_overrides)?,
            capabilities: ship.need("capabilities", read_capabilities)?,
            sensors: ship.need("sensors", |node| {
                node.list(0, SENSES.len(), |node| {
                    Ok(SENSES[node.one_of("sensor", &SENSES)?].to_owned())
                })
            })?,
            weapons: ship.need("weapons", |node| node.list(0, MOUNTS_MAX, read_weapon))?,
            decoys: ship.need("decoys", |node| node.count(255))?,
            link_tier: ship.need("link_tier", |node| node.count(3))?,
            crew: ship.need("crew", read_crew)?,
            passengers: ship.need("passengers", |node| node.count(PEOPLE_MAX))?,
            cargo: ship.need("cargo", |node| {
                let goods = node.object()?.each(|_, node| node.number(0.0..=1e9))?;
                Ok(goods.into_iter().collect())
            })?,
            fuel_t: ship.need("fuel_t", |node| node.number(0.0..=1e6))?,
            squadrons: ship.need("squadrons", |node| node.list(0, 16, read_squadron))?,
            initial_state: ship.need("initial_state", read_initial_state)?,
            objective: ship.may("objective", read_objective)?,
            fleet_id: ship.may("fleet_id", |node| node.name())?,
            is_flagship: ship.need("is_flagship", |node| node.yes_or_no())?,
        })
    }
}

fn read_overrides(node: Node<'_, '_>) -> Reading<HullOverrides> {
    let fields = node.object()?;
    let size = |node: Node<'_, '_>| {
        let sizes = [SizeClass::S, SizeClass::M, SizeClass::L, SizeClass::XL];
        Ok(sizes[node.one_of("size", &["S", "M", "L", "XL"])?])
    };
    let figure = |name, least: f64, most: f64| fields.may(name, |node| node.number(least..=most));
    Ok(HullOverrides {
        size: fields.may("size", size)?,
        radius_m: figure("radius_m", 1.0, 1_000.0)?,
        mass_t: figure("mass_t", 0.1, 1e7)?,
        speed_max: fields.may("speed_max", |node| node.numbers(0.0..=60.0))?,
        accel: figure("accel", 0.0, 20.0)?,
        turn_rate: figure("turn_rate", 0.0, std::f64::consts::PI)?,
        hp: figure("hp", 1.0, 1e6)?,
        armour: figure("armour", 0.0, 1_000.0)?,
        fuel_t: figure("fuel_t", 0.001, 1e6)?,
        burn_kg_s: figure("burn_kg_s", 0.0, 1_000.0)?,
        radar_factor: figure("radar_factor", 0.01, 10.0)?,
        noise_db: figure("noise_db", 0.0, 200.0)?,
    })
}

fn read_capabilities(node: Node<'_, '_>) -> Reading<Capabilities> {
    let fields = node.object()?;
    Ok(Capabilities {
        can_surface: fields.need("can_surface", |node| node.yes_or_no())?,
        can_submerge: fields.need("can_submerge", |node| node.yes_or_no())?,
        can_abyssal: fields.need("can_abyssal", |node| node.yes_or_no())?,
    })
}

fn read_weapon(node: Node<'_, '_>) -> Reading<WeaponSnapshot> {
    let fields = node.object()?;
    Ok(WeaponSnapshot {
        slot: fields.need("slot", |node| node.count(255))?,
        weapon: fields.need("weapon", |node| node.name())?,
        rounds_loaded: fields.need("rounds_loaded", |node| node.count(10_000))?,
        condition: fields.need("condition", share)?,
    })
}

fn read_crew(node: Node<'_, '_>) -> Reading<CrewSnapshot> {
    let fields = node.object()?;
    let people = |name| fields.need(name, |node| node.count(PEOPLE_MAX));
    Ok(CrewSnapshot {
        fit: people("fit")?,
        wounded: people("wounded")?,
        marines: people("marines")?,
        gunnery: fields.need("gunnery", share)?,
        engineering: fields.need("engineering", share)?,
        morale: fields.need("morale", share)?,
        fatigue: fields.need("fatigue", share)?,
    })
}

fn read_squadron(node: Node<'_, '_>) -> Reading<SquadronSnapshot> {
    let fields = node.object()?;
    Ok(SquadronSnapshot {
        squadron_id: fields.need("squadron_id", |node| node.name())?,
        craft: fields.need("craft", |node| node.count(12))?,
        mission: fields
            .need("mission", |node| Ok(MISSIONS[node.one_of("mission", &MISSIONS)?].to_owned()))?,
    })
}

fn read_initial_state(node: Node<'_, '_>) -> Reading<InitialState> {
    let fields = node.object()?;
    Ok(InitialState {
        x: fields.need("x", coordinate)?,
        y: fields.need("y", coordinate)?,
        heading: fields.need("heading", angle)?,
        speed: fields.need("speed", |node| node.number(-60.0..=60.0))?,
        layer: fields
            .need("layer", |node| Ok(LAYERS[node.one_of("layer", &LAYERS)?].to_owned()))?,
        hp: fields.need("hp", |node| node.number(0.001..=1e6))?,
    })
}

fn read_objective(node: Node<'_, '_>) -> Reading<Objective> {
    let fields = node.object()?;
    let zone = |node: Node<'_, '_>| {
        let zone = node.object()?;
        Ok(ObjectiveZone {
            x: zone.need("x", coordinate)?,
            y: zone.need("y", coordinate)?,
            radius_m: zone.need("radius_m", |node| node.number(1.0..=COORDINATE_MAX_M))?,
        })
    };
    let span = -COORDINATE_MAX_M..=COORDINATE_MAX_M;
    let group = |node: Node<'_, '_>| node.list(0, GROUP_MAX, |node| node.name());
    Ok(Objective {
        kind: fields.need("type", |node| {
            Ok(OBJECTIVES[node.one_of("objective", &OBJECTIVES)?].to_owned())
        })?,
        target: fields.may("target", |node| node.name())?,
        asset: fields.may("asset", |node| node.name())?,
        targets: fields.or("targets", Vec::new(), group)?,
        assets: fields.or("assets", Vec::new(), group)?,
        at_least: fields.may("at_least", |node| node.count(GROUP_MAX as u32))?,
        met_by: fields.or("met_by", vec![MET_BY[0].to_owned()], |node| {
            node.list(0, MET_BY.len(), |node| {
                Ok(MET_BY[node.one_of("way to win", &MET_BY)?].to_owned())
            })
        })?,
        zone: fields.may("zone", zone)?,
        destination: fields.may("destination", |node| node.numbers(span))?,
        priority: fields.or("priority", 1.0, share)?,
        deadline_s: fields.may("deadline_s", |node| node.count(7_200))?,
    })
}
