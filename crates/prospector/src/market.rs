//! The station's market: cycling prices, pushed down by stock and recent sales.

use serde::{Deserialize, Serialize};
use std::f32::consts::TAU;

use crate::draws::Dice;
use crate::float::{clamp, exp, max};
use crate::params::{COMMODITIES, Params};
use crate::waves;

/// Prices, stock and the hidden cycle of every commodity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Market {
    /// Credits per unit.
    pub price: [f32; COMMODITIES],
    /// The same one step ago.
    pub price_before: [f32; COMMODITIES],
    /// Units in stock.
    pub stock: [f32; COMMODITIES],
    /// Units sold lately.
    pub sold: [f32; COMMODITIES],
    phase: [f32; COMMODITIES],
    period: [f32; COMMODITIES],
    amplitude: [f32; COMMODITIES],
}

impl Market {
    /// Draw stock and cycles; the price begins on its cycle.
    pub fn draw(dice: &mut Dice, params: &Params) -> Self {
        let mut market = Self::default();
        for (c, good) in params.goods.iter().enumerate() {
            market.stock[c] = dice.uniform((20.0, 120.0));
            market.phase[c] = dice.uniform((0.0, TAU));
            market.period[c] = dice.uniform((180.0, 380.0));
            market.amplitude[c] = good.base * dice.uniform((0.10, 0.30));
        }
        let wave = waves::sin(market.phase);
        for (c, good) in params.goods.iter().enumerate() {
            let price = good.base + market.amplitude[c] * wave[c];
            market.price[c] = clamp(price, good.min, good.max);
        }
        market.price_before = market.price;
        market
    }

    /// Refuse figures that would make a price something other than a number.
    pub fn check(&self) -> Result<(), String> {
        let sums = [&self.price, &self.price_before, &self.stock, &self.sold, &self.amplitude];
        let sound = sums.iter().all(|row| row.iter().all(|sum| (0.0..=1e9).contains(sum)))
            && self.phase.iter().all(|phase| (0.0..=TAU).contains(phase))
            && self.period.iter().all(|period| (180.0..=380.0).contains(period));
        if sound { Ok(()) } else { Err("the market holds an impossible figure".to_owned()) }
    }

    /// Value of `cargo` at the prices of the moment.
    #[inline]
    pub fn value(&self, cargo: &[f32; COMMODITIES]) -> f32 {
        cargo.iter().zip(&self.price).fold(0.0, |sum, (units, price)| sum + units * price)
    }

    /// Move every price to time `ticks`, which is `dt` after the last move.
    pub fn drift(&mut self, ticks: u32, dt: u16, dice: &mut Dice, params: &Params) {
        let t = ticks as f32;
        let spread = f32::from(dt).sqrt();
        // One pass per function over all goods, not one good after another: the plain
        // arithmetic between the library calls then runs on whole vectors.
        let normal = dice.normals::<COMMODITIES>();
        let angle: [f32; COMMODITIES] =
            std::array::from_fn(|c| TAU * (t / self.period[c]) + self.phase[c]);
        let wave = waves::sin(angle);
        self.price_before = self.price;
        for (c, good) in params.goods.iter().enumerate() {
            let cycle = self.amplitude[c] * wave[c];
            let noise = 0.0 + 0.03 * good.base * spread * normal[c];
            self.price[c] = clamp(
                good.base + cycle - params.stock_pressure[c] * self.stock[c] - 0.05 * self.sold[c]
                    + noise,
                good.min,
                good.max,
            );
        }
        let fading = exp(-f32::from(dt) / 14.0);
        let times = if params.stock_decay_by_tick { dt } else { 1 };
        for c in 0..COMMODITIES {
            self.sold[c] *= fading;
            for _ in 0..times {
                self.stock[c] = max(self.stock[c] * 0.998, 0.0);
            }
        }
    }

    /// Sell `units` of commodity `c`; what the station pays.
    pub fn sell(&mut self, c: usize, units: f32, params: &Params) -> f32 {
        let share = units / max(1.0, self.stock[c] + units);
        let slip = clamp(params.slip.0 * share + params.slip.1 * share.sqrt(), 0.0, 0.70);
        let paid = units * (self.price[c] * (1.0 - slip));
        self.stock[c] += units;
        self.sold[c] += units;
        paid
    }
}
