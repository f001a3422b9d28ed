//! What is launched, dropped, laid or flown: it takes the next id and leaves its table when it ends.

use crate::columns::table;

table! {
    /// Shells, torpedoes, missiles, rockets, charges in flight.
    Rounds of Round {
        /// Never used again.
        id: u32,
        /// Row of the ship that fired.
        shooter: u32,
        /// Which of that ship's rounds it is. Draws and looks go by it, not by the id, which counts
        /// what nobody has noticed too.
        serial: u32,
        /// Its team.
        team: u8,
        /// Row in the table of weapons.
        weapon: u8,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// Metres a second.
        vx: f32,
        /// Metres a second.
        vy: f32,
        /// See [`Layer`]; 3 in the air.
        layer: u8,
        /// The layer its warhead acts in.
        at_layer: u8,
        /// Seconds since launch.
        age: f32,
        /// Metres it may still run.
        run_left: f32,
        /// Metres from launch to aim point.
        aim_range: f32,
        /// Entity its seeker holds, or [`NOBODY`].
        locked: u32,
        /// Event of its launch.
        cause: u64,
        /// Root of the causal chain.
        trace: u64,
    }
}

table! {
    /// Noise makers that seekers take for hulls.
    Decoys of Decoy {
        /// Never used again.
        id: u32,
        /// Row of the ship that dropped it.
        ship: u32,
        /// Its team.
        team: u8,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// See [`Layer`].
        layer: u8,
        /// Seconds left.
        life: f32,
    }
}

table! {
    /// Laid mines.
    Mines of Mine {
        /// Never used again.
        id: u32,
        /// Row of the ship that laid it.
        ship: u32,
        /// Its team.
        team: u8,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// See [`Layer`].
        layer: u8,
        /// Seconds until armed.
        arming: f32,
        /// Event of its laying.
        cause: u64,
        /// Root of the causal chain.
        trace: u64,
    }
}

table! {
    /// Groups of craft, aboard or in the air.
    Squadrons of Squadron {
        /// Never used again.
        id: u32,
        /// Row of the carrier it came with.
        carrier: u32,
        /// Row of the ship it flies from and lands on: another one once its carrier is lost.
        deck: u32,
        /// Its team.
        team: u8,
        /// Craft of the package.
        craft_in: u16,
        /// Craft that fly or lie aboard.
        craft: u16,
        /// Craft without a deck to land on.
        stranded: u16,
        /// 0 cap, 1 strike, 2 scout, 3 antisubmarine.
        mission: u8,
        /// 0 aboard, 1 launching, 2 flying, 3 returning, 4 recovering, 5 gone.
        stage: u8,
        /// Seconds left of launching or recovering.
        timer: f32,
        /// Seconds of flight left.
        endurance: f32,
        /// Metres.
        x: f32,
        /// Metres.
        y: f32,
        /// Radians.
        heading: f32,
        /// Hit points of the craft that leads.
        hp: f32,
        /// Craft that still carry their bomb.
        armed: u16,
        /// Track of the carrier it is sent at, as a position.
        goal_x: f32,
        /// Metres.
        goal_y: f32,
        /// Event of its last launch.
        cause: u64,
        /// Root of the causal chain.
        trace: u64,
    }
}
