//! From what a policy chose to an order: eight bytes, and nothing finer reaches the battle.

use crate::orders::{HEADS, Order};

/// Lever positions of the five choices of throttle: -0.3, 0, 0.33, 0.67 and 1 of full speed. The
/// lever's astern half is stretched, so full astern is -127.
const THROTTLES: [i8; 5] = [-127, 0, 42, 85, 127];
/// Rudder positions of its five choices: hard to starboard, half, midships, half, hard to port.
const RUDDERS: [i8; 5] = [-127, -64, 0, 64, 127];
/// A whole turn of the helm.
const FULL: f32 = 127.0;

/// The order of one choice per head. A choice out of range counts as the nearest there is.
#[must_use]
pub fn order(actions: &[i32; 11]) -> Order {
    let throttle = THROTTLES[usize::from(choice(actions, 0))];
    let rudder = RUDDERS[usize::from(choice(actions, 1))];
    rest(actions, throttle, rudder)
}

/// The order of a continuous helm (throttle, rudder, each -1..1) and one choice for each other head.
#[must_use]
pub fn hybrid(helm: [f32; 2], orders: &[i32; 9]) -> Order {
    let mut actions = [0; 11];
    actions[2..].copy_from_slice(orders);
    rest(&actions, lever(helm[0]), lever(helm[1]))
}

/// The order of eleven columns whose first two are the helm in -127..127.
#[must_use]
pub fn columns(columns: &[i16; 11]) -> Order {
    let helm = |at: usize| columns[at].clamp(-127, 127) as i8;
    rest(&columns.map(i32::from), helm(0), helm(1))
}

fn rest(actions: &[i32; 11], throttle: i8, rudder: i8) -> Order {
    let mut fire = 0;
    for group in 0..4 {
        fire |= choice(actions, 3 + group) << group;
    }
    Order {
        throttle,
        rudder,
        target: choice(actions, 2),
        fire,
        layer_emission: choice(actions, 7) | choice(actions, 8) << 4,
        utility: choice(actions, 9),
        damage_control: choice(actions, 10),
        reserved: 0,
    }
}

fn choice(actions: &[i32; 11], head: usize) -> u8 {
    actions[head].clamp(0, HEADS[head] as i32 - 1) as u8
}

/// The nearest of 255 positions; what is no number leaves the helm midships.
fn lever(share: f32) -> i8 {
    // `as` takes NaN to 0.
    (share.clamp(-1.0, 1.0) * FULL).round() as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_arrives_in_its_place() {
        let order = order(&[3, 1, 16, 1, 0, 1, 0, 2, 3, 5, 3]);
        assert_eq!((order.throttle, order.rudder, order.target), (85, -64, 16));
        assert_eq!((order.fire, order.layer(), order.emission()), (0b101, 2, 3));
        assert_eq!((order.utility, order.damage_control), (5, 3));
        assert_eq!(Order::from_bytes(order.bytes()), order);
    }

    #[test]
    fn a_choice_out_of_range_is_the_nearest_there_is() {
        let low = order(&[-5; 11]);
        assert_eq!((low.throttle, low.target, low.fire), (-127, 0, 0));
        let high = order(&[99; 11]);
        assert_eq!((high.throttle, high.target, high.fire), (127, 16, 0b1111));
        assert_eq!((high.utility, high.layer()), (5, 3));
    }

    #[test]
    fn a_continuous_helm_keeps_255_positions() {
        let none = [0; 9];
        assert_eq!(hybrid([1.0, -1.0], &none).bytes()[..2], [127, 129]);
        assert_eq!(hybrid([0.5, 0.001], &none).throttle, 64);
        assert_eq!(hybrid([f32::NAN, 7.0], &none).bytes()[..2], [0, 127]);
        assert_eq!(columns(&[-300, 12, 3, 0, 1, 0, 0, 0, 1, 0, 0]).throttle, -127);
        assert_eq!(columns(&[5, 12, 3, 0, 1, 0, 0, 0, 1, 0, 0]).fire, 0b10);
    }
}
