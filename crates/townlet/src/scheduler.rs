//! Which city events come by themselves: drawn, capped, kept apart, and fair to their targets.

use crate::config::PerturbationKind as Kind;
use crate::draws::Draws;
use crate::numbers::{Micro, NONE};
use crate::perturbations::{self, Cause, GUESTS, Happening, STARTS};
use crate::policy::SEATS;
use crate::state::State;
use crate::town::{Spec, Town, VENUES};

/// Ticks between a city event and one that had to wait for it.
const STAGGER: [u32; 2] = [20, 60];

/// Every spec gets its draw, in the order of declaration, and fires if it may.
pub fn draw(town: &Town, state: &mut State) {
    for (index, spec) in town.specs[..town.drawn].iter().enumerate() {
        let unit = f64::from(state.events.word()) / 4_294_967_296.0;
        if unit < spec.chance && allowed(town, state, index) {
            fire(town, state, index, spec);
        }
    }
}

fn allowed(town: &Town, state: &State, index: usize) -> bool {
    let rules = &town.document.perturbations;
    let running = state.city.active.len() + state.city.pending.len();
    let awaited = state.city.pending.iter().any(|one| is_of(town, one, index));
    let recent = state.city.starts[index]
        .iter()
        .filter(|&&start| start != u32::MAX && start + rules.window_ticks > state.tick);
    running < rules.max_concurrent_events as usize
        && !awaited
        && state.tick >= state.city.cooled[index]
        && recent.count() < rules.max_events_per_window as usize
}

/// An event of `spec` happens by itself.
fn fire(town: &Town, state: &mut State, index: usize, spec: &Spec) {
    let duration = state.events.between(spec.duration[0], spec.duration[1]);
    let span = (spec.magnitude[1] - spec.magnitude[0]) as u32;
    let magnitude = spec.magnitude[0] + i64::from(state.events.between(0, span));
    let target = match spec.targets.len() {
        0 => NONE,
        count => spec.targets[state.events.below(count as u32) as usize],
    };
    if taken(town, state, venue(town, spec.kind, target)) {
        return;
    }
    let mut starts = state.tick;
    if is_city_wide(spec.kind) {
        let busy = state.city.active.iter().chain(&state.city.pending);
        let busy = busy.filter(|one| is_city_wide(town.specs[usize::from(one.spec)].kind));
        if let Some(free) = busy.map(|one| one.ends).max() {
            starts = free + state.events.between(STAGGER[0], STAGGER[1]);
        }
    }
    let planned = perturbations::plan(town, state, (index, target), magnitude, Cause::Drawn);
    let Some(mut happening) = planned else {
        return;
    };
    happening.starts = starts;
    happening.ends = starts + duration;
    if starts > state.tick {
        state.city.pending.push(happening);
    } else {
        perturbations::begin(town, state, happening);
    }
}

fn is_city_wide(kind: Kind) -> bool {
    kind != Kind::ArrangedMeet
}

/// Whether an event is of this spec, or of the one that had its name before a reload.
fn is_of(town: &Town, happening: &Happening, index: usize) -> bool {
    town.specs[usize::from(happening.spec)].id == town.specs[index].id
}

/// Ticks a spec rests after an event.
fn rest(town: &Town, index: usize) -> u32 {
    town.specs[index].cooldown + town.document.perturbations.global_cooldown_ticks
}

/// An event begins, drawn or ordered: its spec and its targets are to rest after it.
pub fn note(town: &Town, state: &mut State, happening: &Happening) {
    for index in (0..town.specs.len()).filter(|&index| is_of(town, happening, index)) {
        let cooled = &mut state.city.cooled[index];
        *cooled = (*cooled).max(happening.ends + rest(town, index));
        let starts = &mut state.city.starts[index];
        starts.rotate_left(1);
        starts[STARTS - 1] = happening.starts;
    }
    let until = happening.ends + town.document.perturbations.per_agent_cooldown_ticks;
    for &guest in happening.invited() {
        if let Some(seat) = state.seat_of(guest) {
            let spared = &mut state.city.spared[seat];
            *spared = (*spared).max(until);
        }
    }
}

/// An event has been cancelled: what rests because of it does so from now on. Whatever ended before
/// is nearer to its end of the rest, so only what still goes on can ask for more.
pub fn shorten(town: &Town, state: &mut State, happening: &Happening) {
    let now = state.tick;
    let active = &state.city.active;
    for index in (0..town.specs.len()).filter(|&index| is_of(town, happening, index)) {
        let others = active.iter().filter(|one| is_of(town, one, index));
        let end = others.map(|one| one.ends).fold(now, u32::max);
        let cooled = &mut state.city.cooled[index];
        *cooled = (*cooled).min(end + rest(town, index));
    }
    for &guest in happening.invited() {
        if let Some(seat) = state.seat_of(guest) {
            let others = active.iter().filter(|one| one.invited().contains(&guest));
            let end = others.map(|one| one.ends).fold(now, u32::max);
            let spared = &mut state.city.spared[seat];
            *spared = (*spared).min(end + town.document.perturbations.per_agent_cooldown_ticks);
        }
    }
}

/// How much two are rivals, both ways together.
fn mutual(state: &State, a: usize, b: usize) -> Micro {
    state.agents[a].tie(b).rivalry + state.agents[b].tie(a).rivalry
}

/// The seats of those who are invited to a meeting, and how many they are.
///
/// One guest is among those whose last meeting is longest ago, so that meetings go around; the
/// second is the worst rival among the half of the town that has rested longest. Further guests are
/// those most at odds with the guests before them. Equals are drawn from the stream `events`.
/// Agents that met lately are left out, unless an operator orders the meeting.
pub fn rivals(state: &mut State, most: usize, cause: Cause) -> Option<([usize; GUESTS], usize)> {
    let mut ready = [0; SEATS];
    let mut count = 0;
    for &seat in &state.order {
        let seat = usize::from(seat);
        let rested = cause == Cause::Ordered || state.city.spared[seat] <= state.tick;
        if rested && state.agents[seat].about() {
            ready[count] = seat;
            count += 1;
        }
    }
    let ready = &ready[..count];
    // A stream is a key and a count, so a copy goes on from where it is.
    let mut events = state.events;
    let invited = guests(state, &mut events, ready, most);
    state.events = events;
    invited
}

fn guests(
    state: &State,
    events: &mut Draws,
    ready: &[usize],
    most: usize,
) -> Option<([usize; GUESTS], usize)> {
    let mut seats = [0; GUESTS];
    seats[..2].copy_from_slice(&first_pair(state, events, ready)?);
    let mut count = 2;
    while count < most.min(GUESTS) {
        let guests = &seats[..count];
        let others = ready.iter().filter(|seat| !guests.contains(seat));
        let odds = others.map(|&seat| {
            (guests.iter().map(|&guest| mutual(state, guest, seat)).sum::<Micro>(), seat)
        });
        let Some(next) = draw_highest(events, odds) else { break };
        seats[count] = next;
        count += 1;
    }
    Some((seats, count))
}

/// The first two guests among those who are ready.
fn first_pair(state: &State, events: &mut Draws, ready: &[usize]) -> Option<[usize; 2]> {
    let mut rests = [0; SEATS];
    let rests = &mut rests[..ready.len()];
    for (rest, &seat) in rests.iter_mut().zip(ready) {
        *rest = state.city.spared[seat];
    }
    rests.sort_unstable();
    let longest = *rests.first()?;
    let half = rests[ready.len().div_ceil(2).max(2).min(ready.len()) - 1];
    let pairs = ready.iter().enumerate().flat_map(|(at, &a)| {
        let others = ready[at + 1..].iter();
        others.map(move |&b| [a, b])
    });
    let fair = pairs.filter(|pair| {
        let [a, b] = pair.map(|seat| state.city.spared[seat]);
        a.max(b) <= half && a.min(b) <= longest
    });
    draw_highest(events, fair.map(|[a, b]| (mutual(state, a, b), [a, b])))
}

/// The choice of the highest value; one of equals is drawn.
fn draw_highest<T>(
    events: &mut Draws,
    choices: impl Iterator<Item = (Micro, T)> + Clone,
) -> Option<T> {
    let most = choices.clone().map(|(value, _)| value).max()?;
    let mut equals = choices.filter(|&(value, _)| value == most);
    let count = equals.clone().count() as u32;
    let drawn = if count > 1 { events.below(count) } else { 0 };
    equals.nth(drawn as usize).map(|(_, choice)| choice)
}

/// The venue that an event of `kind` with this target is about, or [`NONE`].
fn venue(town: &Town, kind: Kind, target: u8) -> u8 {
    let named = |name: &str| VENUES.iter().position(|known| *known == name);
    match (kind, target) {
        (Kind::ArrangedMeet, place) => place,
        (Kind::FacilityClosure, object) => town.objects[usize::from(object)].venue,
        (Kind::PriceSpike, 0b001) => named("cafe").map_or(NONE, |index| index as u8),
        (Kind::PriceSpike, 0b010) => named("grocer").map_or(NONE, |index| index as u8),
        _ => NONE,
    }
}

/// The venue that `happening` is about, or [`NONE`].
pub fn venue_of(town: &Town, happening: &Happening) -> u8 {
    let kind = town.specs[usize::from(happening.spec)].kind;
    let target = if kind == Kind::PriceSpike { happening.prices } else { happening.place };
    venue(town, kind, target)
}

/// Whether another event is about this venue already.
fn taken(town: &Town, state: &State, place: u8) -> bool {
    let mut others = state.city.active.iter().chain(&state.city.pending);
    place != NONE && others.any(|other| venue_of(town, other) == place)
}
