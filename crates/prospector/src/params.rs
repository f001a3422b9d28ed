//! Every number of the rules, per edition. Constants, so the compiler folds them into the code.

/// Commodities, in index order: iron, nickel, water ice, PGE, rare isotopes, volatiles.
pub const COMMODITIES: usize = 6;
/// Most nodes of a belt.
pub const NODES_MAX: usize = 32;
/// Lanes of a node.
pub const LANES: usize = 6;
/// Most asteroids of a node.
pub const ROCKS_MAX: usize = 16;
/// Floats of the observation.
pub const OBS: usize = 260;
/// Choices of the action head.
pub const ACTIONS: usize = 69;

/// Full tank.
pub const FUEL_MAX: f32 = 1000.0;
/// Full hull, heat, tool and alert scale.
pub const SCALE_MAX: f32 = 100.0;
/// Cargo hold, summed over commodities.
pub const CARGO_MAX: f32 = 200.0;
/// Most kits, stabilizers or decoys.
pub const SUPPLY_MAX: u8 = 12;

/// Fuel for sale: (quantity, credits).
pub const FUEL_OFFERS: [(f32, f32); 3] = [(120.0, 60.0), (260.0, 120.0), (480.0, 210.0)];
/// Price of a repair kit, a stabilizer, a decoy.
pub const SUPPLY_COST: [f32; 3] = [150.0, 175.0, 110.0];
/// Price of a full overhaul.
pub const OVERHAUL_COST: f32 = 280.0;

/// One scanning mode.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    pub dt: u16,
    pub fuel: f32,
    pub alert: f32,
    pub blend: f32,
    pub gain: f32,
    pub noise: f32,
}

/// One mining intensity.
#[derive(Clone, Copy, Debug)]
pub struct Mining {
    pub yield_factor: f32,
    pub heat: f32,
    pub wear: f32,
    pub alert: f32,
    pub yield_sd: f32,
    pub fracture_bias: f32,
}

/// One commodity's market.
#[derive(Clone, Copy, Debug)]
pub struct Good {
    pub base: f32,
    pub min: f32,
    pub max: f32,
}

/// The pirates' temper.
#[derive(Clone, Copy, Debug)]
pub struct Pirates {
    pub logit_base: f32,
    pub logit_lure: f32,
    pub logit_escape: f32,
    pub share_taken: (f32, f32),
    pub decoy_chance: f32,
    pub hull: (f32, f32),
}

/// What the harbour does for every docked ship, unasked and unpaid: enough to sail again.
#[derive(Clone, Copy, Debug)]
pub struct Harbour {
    pub hull_per_tick: f32,
    pub hull_to: f32,
    pub fuel_per_tick: f32,
    pub fuel_to: f32,
}

/// The numbers in which the editions differ.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// Wide, focused, deep.
    pub scans: [Scan; 3],
    /// Conservative, standard, aggressive.
    pub mining: [Mining; 3],
    pub fracture_logit: f32,
    /// Share of a rock that one dug unit uses up.
    pub depletion_per_unit: f32,
    pub refine_yield: f32,
    pub goods: [Good; COMMODITIES],
    /// Share of the base price lost per unit of station stock, per commodity in credits.
    /// What a large lot loses: linear and square-root part.
    pub slip: (f32, f32),
    pub stock_pressure: [f32; COMMODITIES],
    pub pirates: Pirates,
    /// Node and lane danger per tick turns into hull damage at this rate.
    pub hazard_damage: f32,
    /// Noise forgotten per tick; version 1 forgets only when the ship holds, docks or jettisons.
    pub alert_fading: f32,
    /// Version 1 has none: a poor ship never recovers.
    pub harbour: Option<Harbour>,
    /// Give every node a way home even if its drawn parent is full.
    pub connected: bool,
    /// Stock decays by the tick; version 1 decays it by the step.
    pub stock_decay_by_tick: bool,
    /// Stabilizers stay with the rock; in version 1 the slot number keeps them across travel.
    pub stabilizers_stay: bool,
}

/// Version 1, frozen.
pub const V1: Params = Params {
    scans: [
        Scan { dt: 3, fuel: 5.0, alert: 4.0, blend: 0.22, gain: 0.10, noise: 1.35 },
        Scan { dt: 2, fuel: 4.0, alert: 3.0, blend: 0.42, gain: 0.20, noise: 1.00 },
        Scan { dt: 4, fuel: 8.0, alert: 6.0, blend: 0.80, gain: 0.45, noise: 0.55 },
    ],
    mining: [
        Mining {
            yield_factor: 0.80,
            heat: 2.0,
            wear: 0.8,
            alert: 1.2,
            yield_sd: 0.05,
            fracture_bias: -0.7,
        },
        Mining {
            yield_factor: 1.15,
            heat: 4.0,
            wear: 1.6,
            alert: 2.2,
            yield_sd: 0.10,
            fracture_bias: 0.0,
        },
        Mining {
            yield_factor: 1.55,
            heat: 7.0,
            wear: 2.8,
            alert: 4.0,
            yield_sd: 0.16,
            fracture_bias: 0.8,
        },
    ],
    fracture_logit: -3.1,
    depletion_per_unit: 0.01,
    refine_yield: 0.65,
    goods: [
        Good { base: 45.0, min: 12.0, max: 180.0 },
        Good { base: 55.0, min: 15.0, max: 200.0 },
        Good { base: 85.0, min: 20.0, max: 240.0 },
        Good { base: 145.0, min: 50.0, max: 320.0 },
        Good { base: 210.0, min: 80.0, max: 420.0 },
        Good { base: 120.0, min: 30.0, max: 300.0 },
    ],
    slip: (0.25, 0.2),
    stock_pressure: [0.04; COMMODITIES],
    pirates: Pirates {
        logit_base: -4.0,
        logit_lure: 0.8,
        logit_escape: 2.8,
        share_taken: (0.08, 0.20),
        decoy_chance: 0.6,
        hull: (1.0, 4.0),
    },
    hazard_damage: 0.7,
    alert_fading: 0.0,
    harbour: None,
    connected: false,
    stock_decay_by_tick: false,
    stabilizers_stay: false,
};

/// Version 2, the repaired game. `docs/worlds/prospector.md` says why each number is what it is.
pub const V2: Params = Params {
    scans: [
        Scan { dt: 3, fuel: 5.0, alert: 4.0, blend: 0.50, gain: 0.30, noise: 1.35 },
        Scan { dt: 2, fuel: 4.0, alert: 3.0, blend: 0.65, gain: 0.40, noise: 1.00 },
        Scan { dt: 4, fuel: 8.0, alert: 6.0, blend: 0.90, gain: 0.60, noise: 0.55 },
    ],
    mining: [
        Mining {
            yield_factor: 1.60,
            heat: 3.0,
            wear: 0.3,
            alert: 0.6,
            yield_sd: 0.05,
            fracture_bias: -0.7,
        },
        Mining {
            yield_factor: 2.30,
            heat: 6.0,
            wear: 0.6,
            alert: 1.2,
            yield_sd: 0.10,
            fracture_bias: 0.0,
        },
        Mining {
            yield_factor: 3.10,
            heat: 10.0,
            wear: 1.2,
            alert: 2.4,
            yield_sd: 0.16,
            fracture_bias: 0.8,
        },
    ],
    fracture_logit: -5.0,
    depletion_per_unit: 0.006,
    refine_yield: 0.30,
    goods: [
        Good { base: 14.0, min: 4.0, max: 40.0 },
        Good { base: 17.0, min: 5.0, max: 50.0 },
        Good { base: 26.0, min: 8.0, max: 75.0 },
        Good { base: 44.0, min: 14.0, max: 120.0 },
        Good { base: 63.0, min: 20.0, max: 170.0 },
        Good { base: 36.0, min: 11.0, max: 100.0 },
    ],
    slip: (0.15, 0.1),
    stock_pressure: [0.014, 0.017, 0.026, 0.044, 0.063, 0.036],
    pirates: Pirates {
        logit_base: -6.8,
        logit_lure: 0.5,
        logit_escape: 2.8,
        share_taken: (0.20, 0.50),
        decoy_chance: 0.8,
        hull: (2.0, 6.0),
    },
    hazard_damage: 0.5,
    alert_fading: 0.8,
    harbour: Some(Harbour {
        hull_per_tick: 2.0,
        hull_to: 60.0,
        fuel_per_tick: 20.0,
        fuel_to: 300.0,
    }),
    connected: true,
    stock_decay_by_tick: true,
    stabilizers_stay: true,
};
