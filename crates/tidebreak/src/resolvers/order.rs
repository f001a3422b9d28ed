//! Orders come in: what is impossible is dropped and counted, the rest becomes what ships carry out.

use crate::events::Kind;
use crate::journal::{Journal, tell};
use crate::mask::{self, OFFSETS, head};
use crate::orders::{CHOICES, HEADS, Order, Origin};
use crate::proposals::{Plugin, Proposals};
use crate::scratch::Scratch;
use crate::setup::Setup;
use crate::state::{NOBODY, State, flag};

/// The reward term for orders that could not be carried out.
const REJECTED: usize = 8;

/// Take the orders that were given; a hull without any keeps its helm and does nothing else.
pub fn ingest(
    setup: &Setup,
    state: &mut State,
    given: &mut [(Order, Origin)],
    journal: &mut Journal,
) {
    for (ship, given) in given.iter_mut().enumerate() {
        let (order, rank) = std::mem::replace(given, (Order::default(), Origin::Autopilot));
        state.ships.flags[ship] &= !flag::PINGING;
        state.ships.target_slot[ship] = u8::MAX;
        let kept = state.orders[ship];
        state.orders[ship] = if !state.ships.fights(ship) {
            Order::default()
        } else if rank == Origin::Autopilot {
            Order {
                throttle: kept.throttle,
                rudder: kept.rudder,
                damage_control: kept.damage_control,
                ..Order::default()
            }
        } else {
            legal(setup, state, journal, ship, order)
        };
        take(state, journal, ship, kept);
    }
}

/// The order without what the ship's own mask forbids, and without shots that the chosen target
/// does not allow.
fn legal(
    setup: &Setup,
    state: &mut State,
    journal: &mut Journal,
    ship: usize,
    mut order: Order,
) -> Order {
    let mut refused = 0;
    if order.target > state.beliefs.shown_count[ship] {
        order.target = 0;
        refused += 1;
    }
    if order.fire != 0 {
        let open = mask::fire_groups_at(setup, state, ship, order.target);
        refused += (order.fire & !open).count_ones();
        order.fire &= open;
    }
    if order.layer() != 0 || order.utility != 0 {
        let mut offered = [0; CHOICES];
        mask::ship(setup, state, ship, &mut offered);
        let open = |head: usize, choice: u8| {
            u32::from(choice) < HEADS[head] && offered[OFFSETS[head] + usize::from(choice)] != 0
        };
        if !open(head::LAYER, order.layer()) {
            order.layer_emission &= 0xf0;
            refused += 1;
        }
        if !open(head::UTILITY, order.utility) {
            order.utility = 0;
            refused += 1;
        }
    }
    if u32::from(order.emission()) >= HEADS[head::EMISSION] {
        order.layer_emission &= 0x0f;
        refused += 1;
    }
    if u32::from(order.damage_control) >= HEADS[head::DAMAGE_CONTROL] {
        order.damage_control = 0;
        refused += 1;
    }
    if refused > 0 {
        state.tally.rejected_orders += refused;
        state.terms[ship][REJECTED] += refused as f32;
        let place = (state.ships.x[ship], state.ships.y[ship]);
        let (kind, id) = (Kind::OrderRejected, ship as u32);
        let plugin = Plugin::Doctrine;
        tell(state, journal, kind, id, NOBODY, 0, 0, place, refused as f32, plugin);
    }
    order
}

/// What takes effect at once, and the event that everything else of this order goes back to. An
/// order like the one before it, with no button pressed, is that one.
fn take(state: &mut State, journal: &mut Journal, ship: usize, kept: Order) {
    let order = state.orders[ship];
    if order.emission() > 0 {
        state.ships.emission[ship] = order.emission() - 1;
    }
    state.ships.repair[ship] = order.damage_control;
    if order.target > 0 && order.target <= state.beliefs.shown_count[ship] {
        let slot = usize::from(order.target - 1);
        state.ships.target_slot[ship] = state.beliefs.shown[ship][slot];
    }
    let steers = (order.throttle, order.rudder) != (kept.throttle, kept.rudder);
    let presses = order.fire != 0 || order.layer() != 0 || order.utility != 0;
    if state.ships.fights(ship) && (steers || presses) {
        let place = (state.ships.x[ship], state.ships.y[ship]);
        let (id, value) = (ship as u32, f32::from(order.fire));
        let kind = Kind::Order;
        state.ships.order_event[ship] =
            tell(state, journal, kind, id, NOBODY, 0, 0, place, value, Plugin::Doctrine);
    }
}

/// Set-points of the helm.
pub fn resolve(state: &mut State, proposals: &Proposals, scratch: &mut Scratch) {
    for wish in &proposals.helm {
        let ship = wish.ship as usize;
        state.ships.throttle[ship] = wish.throttle;
        state.ships.rudder[ship] = wish.rudder;
        scratch.drives[ship] = wish.drive;
    }
}
