//! What eats at hulls by itself: fire, water, weather and bad waters; and the teams that fight it.

use crate::condition::compartment;
use crate::draws::{Draw, Draws};
use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::package::ZoneKind;
use crate::proposals::Plugin;
use crate::resolvers::fate;
use crate::scratch::{Hit, Scratch};
use crate::setup::Setup;
use crate::state::{Cause, Fate, Mark, NOBODY, State};
use crate::tables::WeatherTable;

/// Where the draws of a hull's own troubles begin; hits use the numbers below.
const OWN: u32 = 1 << 20;

/// One second of every trouble.
pub fn resolve(setup: &Setup, state: &mut State, scratch: &mut Scratch, journal: &mut Journal) {
    for ship in 0..state.ships.len() {
        if !state.ships.afloat(ship) {
            continue;
        }
        if state.ships.burning[ship] != 0 {
            burn(setup, state, scratch, journal, ship);
        }
        if state.ships.wet[ship] != 0 {
            take_water(setup, state, scratch, journal, ship);
        }
        repair(setup, state, scratch, ship);
        endure(setup, state, scratch, journal, ship);
    }
}

/// What fire and water do goes back to what began them.
fn lasting_harm(setup: &Setup, state: &State, ship: usize, share: f32) -> Hit {
    let (cause_event, trace) = (state.ships.last_harm[ship], state.ships.last_trace[ship]);
    own_harm(setup, ship, Cause::FireAndFlooding, share, (cause_event, trace))
}

fn own_harm(
    setup: &Setup,
    ship: usize,
    cause: Cause,
    share: f32,
    (cause_event, trace): (u64, u64),
) -> Hit {
    Hit {
        target: ship as u32,
        amount: share * setup.hulls[ship].hp,
        cause,
        source: NOBODY,
        cause_event,
        trace,
        underwater: false,
        direct: true,
    }
}

/// Parts of a hull that can burn or take water by themselves.
fn places(setup: &Setup, ship: usize) -> u32 {
    if setup.hulls[ship].damage_tier == 2 { setup.tables.damage.compartment.count } else { 1 }
}

fn burn(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
) {
    let figures = &setup.tables.damage.fire;
    let count = places(setup, ship);
    let fires = state.ships.burning[ship].count_ones();
    let share = figures.hp_share_per_s * fires as f32 / count as f32;
    scratch.hits.push(lasting_harm(setup, state, ship, share));
    let (ships, mark) = (&state.ships, &setup.tables.fields.fire);
    state.marks.push(Mark {
        source: ship as u32,
        kind: 1,
        x: ships.x[ship],
        y: ships.y[ship],
        layer: ships.layer[ship],
        radius: setup.hulls[ship].radius_m * mark.radius_factor,
        strength: (fires as f32 / count as f32).max(mark.strength_min),
    });
    if count > 1 {
        for place in 0..count as usize {
            if state.ships.burning[ship] >> place & 1 == 1 {
                let health = &mut state.ships.parts[ship][place];
                *health = (*health - figures.hp_share_per_s).max(0.0);
            }
        }
        state.ships.burning[ship] = spread(setup, state, ship, state.ships.burning[ship], 0);
        magazine(setup, state, scratch, journal, ship);
    }
    let engineering = state.ships.skill(setup, ship, state.ships.engineering[ship]);
    let chance = figures.out_base + figures.out_engineering * engineering;
    let fought = scratch.teams[ship][1];
    let left = put_out(state, ship, state.ships.burning[ship], (fought, chance), OWN + 100);
    if left != state.ships.burning[ship] {
        state.ships.burning[ship] = left;
        tell_end(state, journal, ship, Kind::FireOut);
    }
}

fn take_water(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
) {
    let figures = &setup.tables.damage.flooding;
    let count = places(setup, ship);
    let holes = state.ships.wet[ship].count_ones();
    let share = figures.hp_share_per_s * holes as f32 / count as f32;
    scratch.hits.push(lasting_harm(setup, state, ship, share));
    if count > 1 {
        state.ships.wet[ship] = spread(setup, state, ship, state.ships.wet[ship], 200);
    }
    let engineering = state.ships.skill(setup, ship, state.ships.engineering[ship]);
    let chance = figures.stop_base + figures.stop_engineering * engineering;
    let fought = scratch.teams[ship][0];
    let left = put_out(state, ship, state.ships.wet[ship], (fought, chance), OWN + 300);
    if left != state.ships.wet[ship] {
        state.ships.wet[ship] = left;
        tell_end(state, journal, ship, Kind::FloodingStopped);
    }
}

/// Trouble passes bulkheads, broken ones sooner.
fn spread(setup: &Setup, state: &State, ship: usize, troubled: u8, from: u32) -> u8 {
    let figures = &setup.tables.damage.compartment;
    let mut all = troubled;
    for place in 0..8 {
        let reaching = compartment::NEIGHBOURS[place] & troubled;
        if troubled >> place & 1 == 1 || reaching == 0 {
            continue;
        }
        for other in 0..8 {
            if reaching >> other & 1 == 0 {
                continue;
            }
            let parts = &state.ships.parts[ship];
            let broken = parts[place] <= 0.0 || parts[other] <= 0.0;
            let chance =
                if broken { figures.spread_broken_per_s } else { figures.spread_sound_per_s };
            let index = OWN + from + (place * 8 + other) as u32;
            let id = ship as u32;
            if Draws::of(state.seed).unit(Draw::Damage, id, state.tick, index) < chance {
                all |= 1 << place;
            }
        }
    }
    all
}

/// Teams fight the lowest places first; what has none goes on.
fn put_out(state: &State, ship: usize, troubled: u8, (teams, chance): (f32, f32), from: u32) -> u8 {
    let mut left = troubled;
    let mut free = teams;
    for place in 0..8 {
        if troubled >> place & 1 == 0 || free < 1.0 {
            continue;
        }
        free -= 1.0;
        let id = ship as u32;
        if Draws::of(state.seed).unit(Draw::Damage, id, state.tick, from + place) < chance {
            left &= !(1 << place);
        }
    }
    left
}

fn tell_end(state: &mut State, journal: &mut Journal, ship: usize, kind: Kind) {
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let id = ship as u32;
    let cause = state.ships.last_harm[ship];
    let trace = state.ships.last_trace[ship];
    tell(state, journal, kind, id, NOBODY, cause, trace, place, 0.0, Plugin::DamageControl);
}

/// A magazine that is gone while its hull burns may take everything with it.
fn magazine(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
) {
    let chance = setup.tables.damage.fate.magazine_chance_per_s;
    let id = ship as u32;
    let lost = state.ships.parts[ship][compartment::MAGAZINE] <= 0.0;
    let unsinkable = setup.hulls[ship].size == crate::tables::SizeClass::XL;
    if !lost || unsinkable {
        return;
    }
    if Draws::of(state.seed).unit(Draw::Damage, id, state.tick, OWN + 400) < chance {
        let place = (state.ships.x[ship], state.ships.y[ship]);
        let (source, cause) = (state.ships.last_harmer[ship], state.ships.last_harm[ship]);
        let trace = state.ships.last_trace[ship];
        let (kind, plugin) = (Kind::Destroyed, Plugin::DamageControl);
        tell(state, journal, kind, source, id, cause, trace, place, 1.0, plugin);
        fate::end(setup, state, scratch, ship, Fate::Destroyed);
    }
}

/// Teams that fight nothing mend what the captain wants mended.
fn repair(setup: &Setup, state: &mut State, scratch: &Scratch, ship: usize) {
    let figures = &setup.tables.damage.repair;
    let hull = &setup.hulls[ship];
    let share = scratch.teams[ship][2] / figures.teams[hull.size as usize] as f32;
    if share <= 0.0 || !state.ships.fights(ship) {
        return;
    }
    let engineering = state.ships.skill(setup, ship, state.ships.engineering[ship]);
    let rate = figures.hp_share_per_s * (figures.skill_base + engineering) * share;
    let whole = hull.damage_tier == 2;
    let places: &[usize] = match (state.ships.repair[ship], whole) {
        (1, false) => &[0, 1],
        (2, false) => &[3, 4, 5],
        (3, false) => &[2],
        (1, true) => &[compartment::ENGINEERING, compartment::REACTOR],
        (2, true) => &[compartment::BOW_BATTERY, compartment::MAGAZINE, compartment::HANGAR],
        (3, true) => &[compartment::CIC, compartment::BRIDGE],
        _ => &[],
    };
    let ships = &mut state.ships;
    if ships.repair[ship] == 0 {
        let limit = figures.limit * hull.hp;
        if ships.hp[ship] < limit {
            ships.hp[ship] = (ships.hp[ship] + rate * hull.hp).min(limit);
        }
    }
    for &place in places {
        let health = &mut ships.parts[ship][place];
        // What is destroyed stays so.
        if *health > 0.0 && *health < figures.limit {
            *health = (*health + rate).min(figures.limit);
        }
    }
    ships.refresh_output(setup, ship);
}

/// Seas and waters that hurt.
fn endure(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
) {
    let share = of_the_sea(setup, state, ship);
    if share > 0.0 {
        batter(setup, state, scratch, journal, ship, share);
    }
    for zone in &setup.zones {
        let (x, y) = (state.ships.x[ship], state.ships.y[ship]);
        if zone.kind == ZoneKind::Hazard && zone.shape.outside(x, y).0 <= 0.0 {
            let share = setup.tables.weather.hazard_hp_share_per_s * zone.intensity;
            batter(setup, state, scratch, journal, ship, share);
        }
    }
}

/// Share of a hull that the sea takes where it is.
fn of_the_sea(setup: &Setup, state: &State, ship: usize) -> f32 {
    let (ships, figures) = (&state.ships, &setup.tables.weather);
    if ships.layer[ship] != 0 {
        return 0.0;
    }
    let sea = ships.sea_state[ship] as u8;
    let size = setup.hulls[ship].size as usize;
    let spared = size >= 2 && sea < figures.large_damage_sea_state;
    if spared { 0.0 } else { figures.damage[WeatherTable::band(sea)][size] }
}

/// Harm that begins with the water itself: the root of a chain of its own.
fn batter(
    setup: &Setup,
    state: &mut State,
    scratch: &mut Scratch,
    journal: &mut Journal,
    ship: usize,
    share: f32,
) {
    let place = (state.ships.x[ship], state.ships.y[ship]);
    let (kind, id) = (Kind::WeatherDamage, ship as u32);
    let amount = share * setup.hulls[ship].hp;
    let event = tell(state, journal, kind, NOBODY, id, 0, 0, place, amount, Plugin::Environment);
    scratch.hits.push(own_harm(setup, ship, Cause::Weather, share, (event, event)));
}
