//! Changes of layer and the small things a hull does with its hands: decoys, pings, scuttling.

use crate::orders::Order;
use crate::proposals::{ChangeLayer, Origin, Plugin, UseUtility};
use crate::setup::Setup;
use crate::state::{Ships, State};

/// What the plugin reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    setup: &'a Setup,
    orders: &'a [Order],
    order_event: &'a [u64],
    fate: &'a [u8],
    x: &'a [f32],
    y: &'a [f32],
    layer: &'a [u8],
    layer_next: &'a [u8],
    transition_length: &'a [f32],
}

impl<'a> View<'a> {
    /// Of the world as it stands.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State) -> Self {
        let Ships { fate, x, y, layer, layer_next, transition_length, order_event, .. } =
            &state.ships;
        let orders = &state.orders;
        Self { setup, orders, order_event, fate, x, y, layer, layer_next, transition_length }
    }
}

/// What orders ask for and the water allows.
pub fn propose(view: &View<'_>, layers: &mut Vec<ChangeLayer>, utilities: &mut Vec<UseUtility>) {
    for ship in 0..view.fate.len() {
        let order = view.orders[ship];
        if view.fate[ship] != 0 || (order.layer() == 0 && order.utility == 0) {
            continue;
        }
        let event = view.order_event[ship];
        let origin = Origin {
            source: ship as u32,
            plugin: Plugin::Layer,
            sequence: 0,
            cause: event,
            trace: event,
        };
        if let Some(to) = wanted(view, ship, order.layer()) {
            layers.push(ChangeLayer { origin, ship: ship as u32, to });
        }
        if order.utility != 0 {
            utilities.push(UseUtility { origin, ship: ship as u32, what: order.utility });
        }
    }
}

/// The layer a hull shall go to: one up, one down, or back to where it came from.
fn wanted(view: &View<'_>, ship: usize, asked: u8) -> Option<u8> {
    let layer = view.layer[ship];
    let moving = view.transition_length[ship] > 0.0;
    let to = match asked {
        1 if !moving => layer.checked_sub(1)?,
        2 if !moving => layer + 1,
        3 if moving && view.layer_next[ship] != layer => return Some(layer),
        _ => return None,
    };
    view.setup.layer_open(ship, to, view.x[ship], view.y[ship]).then_some(to)
}
