//! What each hull's engines and rudder make of its orders.

use crate::condition::Output;
use crate::modifiers::{Changes, Stat};
use crate::orders::Order;
use crate::proposals::{Origin, Plugin, SetHelm};
use crate::scratch::Drive;
use crate::setup::Setup;
use crate::state::{Ships, State};
use crate::tables::WeatherTable;

/// What the helm reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    setup: &'a Setup,
    orders: &'a [Order],
    modifiers: Changes<'a>,
    order_event: &'a [u64],
    fate: &'a [u8],
    layer: &'a [u8],
    transition_length: &'a [f32],
    wet: &'a [u8],
    output: &'a [[f32; 6]],
    sea_state: &'a [f32],
    fuel: &'a [f64],
}

impl<'a> View<'a> {
    /// Of the world as it stands.
    #[must_use]
    pub fn of(setup: &'a Setup, state: &'a State) -> Self {
        let Ships {
            fate, layer, transition_length, wet, output, sea_state, fuel, order_event, ..
        } = &state.ships;
        Self {
            setup,
            orders: &state.orders,
            modifiers: Changes::of(&state.modifiers),
            order_event,
            fate,
            layer,
            transition_length,
            wet,
            output,
            sea_state,
            fuel,
        }
    }
}

/// One set-point for every hull, in ascending id.
pub fn propose(view: &View<'_>, out: &mut Vec<SetHelm>) {
    for ship in 0..view.fate.len() {
        let event = view.order_event[ship];
        let origin = Origin {
            source: ship as u32,
            plugin: Plugin::Helm,
            sequence: 0,
            cause: event,
            trace: event,
        };
        let (throttle, rudder) = if view.fate[ship] == 0 { asked(view, ship) } else { (0.0, 0.0) };
        let drive = drive(view, ship, throttle, rudder);
        out.push(SetHelm { origin, ship: ship as u32, throttle, rudder, drive });
    }
}

fn asked(view: &View<'_>, ship: usize) -> (f32, f32) {
    let figures = &view.setup.tables.motion;
    let order = view.orders[ship];
    let lever = f32::from(order.throttle.max(-127)) / 127.0;
    let throttle = if lever < 0.0 { -lever * figures.throttle_min } else { lever };
    let throttle =
        if view.fuel[ship] > 0.0 { throttle } else { throttle.min(figures.fuel.empty_throttle) };
    (throttle, f32::from(order.rudder.max(-127)) / 127.0)
}

fn drive(view: &View<'_>, ship: usize, throttle: f32, rudder: f32) -> Drive {
    let tables = &view.setup.tables;
    let hull = &view.setup.hulls[ship];
    let layer = usize::from(view.layer[ship]);
    let top = hull.speed_max[layer];
    let mut factor = view.output[ship][Output::Propulsion as usize];
    if view.wet[ship] != 0 {
        factor *= tables.damage.flooding.speed_factor;
    }
    if layer == 0 {
        let band = WeatherTable::band(view.sea_state[ship] as u8);
        factor *= tables.weather.speed[band][hull.size as usize];
    }
    if view.transition_length[ship] > 0.0 {
        factor = factor.min(tables.layers.transition.speed_cap);
    }
    let deep = if layer == 2 { tables.motion.abyssal_accel_factor } else { 1.0 };
    let limits = (0.0, 1000.0);
    let reach = view.modifiers.figure(ship as u32, Stat::Speed, top * factor, limits);
    let (accel, turn) = (hull.accel * deep, hull.turn_rate);
    Drive { speed: throttle * reach, top, accel, turn, rudder }
}
