//! A careful citizen can live here, and an idle one cannot.

use super::{Stage, town_of};

/// Thirty days of scripted life: nobody faints, nobody is evicted, people come to work.
#[test]
fn scripted_citizens_live_well_for_thirty_days() {
    for agents in [6, 8, 10] {
        for seed in 0..4 {
            let mut stage = Stage::new(town_of(agents), seed);
            let before: i64 = stage.state().agents.iter().map(|agent| agent.wallet).sum();
            stage.live(30_000);
            let after: i64 = stage.state().agents.iter().map(|agent| agent.wallet).sum();
            let what = format!("{agents} agents, seed {seed}");
            let named = |name: &str| stage.stat(name);
            let what = format!("{what}: {:?}", stage.stats);
            assert_eq!(named("exits"), 0.0, "{what}");
            assert_eq!(named("hospitalised"), 0.0, "{what}");
            assert!(named("on_time_share") >= 0.85, "{what}");
            assert!(after > before, "{what}");
            assert!(stage.state().agents.iter().all(|agent| agent.wallet >= 0), "{what}");
        }
    }
}
