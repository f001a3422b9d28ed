//! Mounts fire: rounds leave, cooldowns begin, things are spawned.

use crate::draws::{Draw, Draws};
use crate::engagement::part_of;
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::plugins::fire_control::{Magazines, spare_of};
use crate::proposals::{FireWeapon, Plugin, PointDefence, Proposals};
use crate::scratch::{Hit, Scratch};
use crate::setup::Setup;
use crate::state::{Cause, Mine, NOBODY, Round, State};
use crate::tables::{Guidance, Weapon, WeatherTable};

/// Rounds of flight that every projectile keeps between its hull and itself, metres.
const CLEAR_OF_HULL: f32 = 2.0;
/// The layer of what flies.
pub const IN_THE_AIR: u8 = 3;

/// Carry out every shot of the tick.
pub fn resolve(
    setup: &Setup,
    state: &mut State,
    proposals: &Proposals,
    scratch: &mut Scratch,
    journal: &mut Journal,
) {
    for wish in &proposals.fire {
        fire(setup, state, journal, wish);
    }
    for wish in &proposals.point_defence {
        defend(setup, state, scratch, journal, wish);
    }
    // A mount is ready at 0 or below: what of its second it did not need shortens the next wait, if it
    // fires at once. So rates need not be whole seconds.
    for cooldown in &mut state.mounts.cooldown {
        *cooldown = if *cooldown > 0.0 { *cooldown - 1.0 } else { 0.0 };
    }
}

/// Take a round and start the cooldown; false where there is none after all.
fn spend(setup: &Setup, state: &mut State, mount: usize) -> bool {
    let weapon = setup.tables.weapon(state.mounts.weapon[mount]);
    let from = if state.mounts.rounds[mount] > 0 || !weapon.rounds_per_hull {
        mount
    } else {
        spare_of(&Magazines::of(&state.mounts), mount).unwrap_or(mount)
    };
    let ship = state.mounts.ship[mount] as usize;
    // A part that gives half serves its mounts half as fast, and weather may have put it out just now.
    let output = state.ships.output[ship][part_of(weapon.group) as usize];
    let works = output * state.mounts.condition[mount];
    if state.mounts.rounds[from] == 0 || works <= 0.0 {
        return false;
    }
    state.mounts.rounds[from] -= 1;
    state.mounts.fired[from] += 1;
    let figures = &setup.tables.crew.skill;
    let gunnery = state.ships.skill(setup, ship, state.ships.gunnery[ship]);
    let factor = figures.cooldown_base - figures.cooldown_gain * gunnery;
    state.mounts.cooldown[mount] += weapon.cooldown_s * factor / works;
    true
}

fn fire(setup: &Setup, state: &mut State, journal: &mut Journal, wish: &FireWeapon) {
    let mount = wish.mount as usize;
    let ship = state.mounts.ship[mount] as usize;
    if !spend(setup, state, mount) {
        return;
    }
    let weapon = setup.tables.weapon(state.mounts.weapon[mount]);
    let here = (state.ships.x[ship], state.ships.y[ship]);
    let id = ship as u32;
    let kind = if weapon.guidance == Guidance::Trigger { Kind::MineLaid } else { Kind::Fired };
    let (cause, trace) = (wish.origin.cause, wish.origin.trace);
    let value = f32::from(weapon.id);
    let event =
        tell(state, journal, kind, id, NOBODY, cause, trace, here, value, Plugin::FireControl);
    let trace = if trace == 0 { event } else { trace };
    if weapon.guidance == Guidance::Trigger {
        lay(state, weapon, ship, (event, trace));
        return;
    }
    state.tally.shots += u32::from(weapon.salvo);
    for shell in 0..u32::from(weapon.salvo) {
        let aim = dispersed(setup, state, weapon, ship, wish, shell);
        let round = launched(setup, state, weapon, ship, wish, aim);
        state.rounds.push(Round { cause: event, trace, ..round });
        state.next_id += 1;
        state.ships.launched[ship] = state.ships.launched[ship].wrapping_add(1);
    }
    if weapon.guidance == Guidance::Lead && state.ships.layer[ship] != 0 {
        state.ships.popup[ship] = -setup.tables.layers.pop_up.exposed_s;
    }
}

fn lay(state: &mut State, weapon: &Weapon, ship: usize, (cause, trace): (u64, u64)) {
    let ships = &state.ships;
    state.mines.push(Mine {
        id: state.next_id,
        ship: ship as u32,
        team: ships.team[ship],
        x: ships.x[ship],
        y: ships.y[ship],
        layer: ships.layer[ship],
        arming: weapon.arm_s,
        cause,
        trace,
    });
    state.next_id += 1;
}

/// The aim point with the error of gun, crew and sea.
fn dispersed(
    setup: &Setup,
    state: &State,
    weapon: &Weapon,
    ship: usize,
    wish: &FireWeapon,
    shell: u32,
) -> (f32, f32) {
    if weapon.dispersion <= 0.0 {
        return wish.aim;
    }
    let ships = &state.ships;
    let gunnery = ships.skill(setup, ship, ships.gunnery[ship]);
    let band = WeatherTable::band(ships.sea_state[ship] as u8);
    let sea = if weapon.guidance == Guidance::Ballistic {
        setup.tables.weather.gun_dispersion[band]
    } else {
        1.0
    };
    let spread = weapon.dispersion * (setup.tables.crew.skill.dispersion_base - gunnery) * sea;
    let index = wish.mount * 16 + shell;
    let draws = Draws::of(state.seed);
    let (across, along) = draws.normal_pair(Draw::Weapon, ship as u32, state.tick, index);
    let (dx, dy) = (wish.aim.0 - ships.x[ship], wish.aim.1 - ships.y[ship]);
    (
        wish.aim.0 + spread * (along * dx - across * dy),
        wish.aim.1 + spread * (along * dy + across * dx),
    )
}

fn launched(
    setup: &Setup,
    state: &State,
    weapon: &Weapon,
    ship: usize,
    wish: &FireWeapon,
    aim: (f32, f32),
) -> Round {
    let ships = &state.ships;
    let (dx, dy) = (aim.0 - ships.x[ship], aim.1 - ships.y[ship]);
    let range = (dx * dx + dy * dy).sqrt();
    let bow = libm::sincosf(ships.heading[ship]);
    let way = if range > 0.0 { (dx / range, dy / range) } else { (bow.1, bow.0) };
    let clear = (setup.hulls[ship].radius_m + CLEAR_OF_HULL).min(range);
    let aim_range = range - clear;
    let figures = &setup.tables.weapons;
    let (layer, run_left) = match weapon.guidance {
        Guidance::Ballistic => (IN_THE_AIR, aim_range * figures.shell_window[1]),
        Guidance::Lead => (IN_THE_AIR, weapon.range_m * figures.missile_run_factor),
        Guidance::Homing => (ships.layer[ship], weapon.range_m),
        _ if weapon.speed > figures.flies_above => (IN_THE_AIR, aim_range),
        _ => (ships.layer[ship], aim_range),
    };
    Round {
        id: state.next_id,
        shooter: ship as u32,
        serial: ships.launched[ship],
        team: ships.team[ship],
        weapon: weapon.id,
        x: ships.x[ship] + way.0 * clear,
        y: ships.y[ship] + way.1 * clear,
        vx: way.0 * weapon.speed,
        vy: way.1 * weapon.speed,
        layer,
        at_layer: wish.at_layer,
        age: 0.0,
        run_left,
        aim_range,
        locked: NOBODY,
        ..Round::default()
    }
}

/// A mount that fires by itself at a missile, a craft or a hull.
fn defend(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    wish: &PointDefence,
) {
    let mount = wish.mount as usize;
    let ship = state.mounts.ship[mount] as usize;
    if !spend(setup, state, mount) {
        return;
    }
    state.tally.shots += 1;
    let weapon = setup.tables.weapon(state.mounts.weapon[mount]);
    let source = ship as u32;
    let shot = tell_defence(state, journal, weapon, source, wish.target);
    if (wish.target as usize) < state.ships.len() {
        strike_near(setup, state, scratch, weapon, (ship, wish.target as usize), shot);
        return;
    }
    let drawn = Draws::of(state.seed).unit(Draw::Weapon, source, state.tick, wish.mount * 16);
    if drawn >= weapon.kill_chance {
        return;
    }
    let here = (state.ships.x[ship], state.ships.y[ship]);
    if let Ok(row) = state.rounds.id.binary_search(&wish.target) {
        if state.rounds.run_left[row] <= 0.0 {
            return;
        }
        state.rounds.run_left[row] = 0.0;
        let (kind, target, (cause, trace)) = (Kind::Intercepted, wish.target, shot);
        tell(state, journal, kind, source, target, cause, trace, here, 1.0, Plugin::FireControl);
    } else if let Ok(row) = state.squadrons.id.binary_search(&wish.target) {
        crate::resolvers::squadron::lose_craft(state, journal, row, 1, source, shot);
    }
}

/// The shot of a mount that nobody ordered to fire: what was launched at the hull led to it, or
/// where a hull came too near, the order that the own hull carries out. The event and its root.
fn tell_defence(
    state: &mut State,
    journal: &mut Journal,
    weapon: &Weapon,
    source: u32,
    target: u32,
) -> (u64, u64) {
    let ship = source as usize;
    let (cause, trace) = if let Ok(row) = state.rounds.id.binary_search(&target) {
        (state.rounds.cause[row], state.rounds.trace[row])
    } else if let Ok(row) = state.squadrons.id.binary_search(&target) {
        (state.squadrons.cause[row], state.squadrons.trace[row])
    } else {
        (state.ships.order_event[ship], state.ships.order_event[ship])
    };
    let here = (state.ships.x[ship], state.ships.y[ship]);
    let (kind, value) = (Kind::Fired, f32::from(weapon.id));
    let plugin = Plugin::FireControl;
    let event = tell(state, journal, kind, source, target, cause, trace, here, value, plugin);
    (event, if trace == 0 { event } else { trace })
}

/// Point defence at a hull: short, sharp and mostly stopped by armour.
fn strike_near(
    setup: &Setup,
    state: &State,
    scratch: &mut Scratch,
    weapon: &Weapon,
    (ship, target): (usize, usize),
    (cause_event, trace): (u64, u64),
) {
    let ships = &state.ships;
    let (dx, dy) = (ships.x[target] - ships.x[ship], ships.y[target] - ships.y[ship]);
    let reach = weapon.range_m + setup.hulls[target].radius_m;
    let open = weapon.strikes.has(ships.places(target));
    if !ships.afloat(target) || !open || dx * dx + dy * dy > reach * reach {
        return;
    }
    scratch.hits.push(Hit {
        target: target as u32,
        amount: weapon.damage,
        cause: Cause::PointDefence,
        source: ship as u32,
        cause_event,
        trace,
        underwater: false,
        direct: false,
    });
}
