//! Time, water, sky and the edges of the map: 16 figures. Currents and wind are along the bow and
//! to port.

use crate::setup::Setup;
use crate::state::State;

use super::Frame;

/// Metres a second shown as 1.
const CURRENT: f32 = 3.0;
/// Metres a second shown as 1.
const WIND: f32 = 30.0;
/// Metres within which land and edges matter.
const NEAR_M: f32 = 5000.0;
/// Metres outside a storm at which it no longer shows.
const STORM_M: f32 = 10_000.0;

pub(super) fn write(setup: &Setup, state: &State, ship: usize, frame: &Frame, out: &mut [f32]) {
    let ships = &state.ships;
    out[0] = 1.0 - state.tick as f32 / setup.time_limit.max(1) as f32;
    let (flow_x, flow_y) = setup.current_at(frame.x, frame.y);
    let (ahead, port) = frame.turned(flow_x, flow_y);
    out[1] = ahead / CURRENT;
    out[2] = port / CURRENT;
    out[3] = ships.sea_state[ship] / 9.0;
    out[4] = ships.visibility_km[ship] / 20.0;
    out[5] = f32::from(ships.rain[ship]) / 3.0;
    let (wind_x, wind_y) = ships.wind[ship];
    let (ahead, port) = frame.turned(wind_x, wind_y);
    out[6] = ahead / WIND;
    out[7] = port / WIND;
    let open = |layer: u8| setup.layer_open(ship, layer, frame.x, frame.y);
    out[8] = f32::from(u8::from(open(1)));
    out[9] = f32::from(u8::from(open(2)));
    let (gap, sine, cosine) = nearest_land(setup, frame);
    out[10] = gap / NEAR_M;
    out[11] = sine;
    out[12] = cosine;
    out[13] = setup.terrain.edge_distance(frame.x, frame.y) / NEAR_M;
    out[14] = storm(state, frame);
    let [start, left] = state.team_value[usize::from(ships.team[ship])];
    out[15] = if start > 0.0 { (left / start) as f32 } else { 0.0 };
}

/// Distance to the nearest land within reach, and sine and cosine of its bearing; far off and
/// nowhere without any.
fn nearest_land(setup: &Setup, frame: &Frame) -> (f32, f32, f32) {
    let mut nearest = (NEAR_M, 0.0, 0.0);
    for solid in &setup.terrain.solids {
        let (middle, reach) = solid.bound();
        let (dx, dy) = (middle.0 - frame.x, middle.1 - frame.y);
        let within = nearest.0 + reach;
        if dx * dx + dy * dy >= within * within {
            continue;
        }
        let (gap, out) = solid.outside(frame.x, frame.y);
        if gap < nearest.0 {
            let (ahead, port) = frame.turned(-out.0, -out.1);
            nearest = (gap, port, ahead);
        }
    }
    nearest
}

/// 1 inside a storm, falling to 0 far from all of them.
fn storm(state: &State, frame: &Frame) -> f32 {
    let storms = &state.storms;
    let mut nearest = 0.0_f32;
    for row in 0..storms.len() {
        let (dx, dy) = (storms.x[row] - frame.x, storms.y[row] - frame.y);
        let gap = (dx * dx + dy * dy).sqrt() - storms.radius[row];
        nearest = nearest.max(1.0 - gap.max(0.0) / STORM_M);
    }
    nearest
}
