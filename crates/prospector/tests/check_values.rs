//! The published check values of version 1, through the public face of the crate.

use astrarium_kernel::{View, World, digest_of};
use astrarium_prospector::{ACTIONS, Config, OBS, ProspectorV1};

fn fresh(seed: u64) -> ProspectorV1 {
    let mut world = ProspectorV1::new(&Config::default());
    world.reset(seed);
    world
}

#[test]
fn the_generator_stands_where_it_should_after_reset() {
    assert_eq!(fresh(42).generator_state(), 1_103_167_390_526_664_408);
    assert_eq!(fresh(0).generator_state(), 1_635_779_350_944_515_025);
    assert_eq!(fresh(u64::MAX).generator_state(), 14_779_347_038_504_050_595);
}

#[test]
fn ten_actions_of_seed_42_earn_the_published_rewards() {
    let mut world = fresh(42);
    let turns = [6, 8, 0, 12, 10, 28, 29, 30, 33, 68].map(|action| world.advance(action));
    assert_eq!(
        turns.map(|turn| turn.reward),
        [
            -0.001,
            -0.012_999_999,
            -0.187_679_29,
            -0.021_923_615,
            -0.317_363_14,
            -0.023_623_507,
            -0.022_996_876,
            -0.714_034,
            -0.050_964_706,
            -0.023_561_783
        ]
    );
    assert_eq!(turns.map(|turn| turn.dt), [1, 3, 4, 1, 4, 1, 1, 1, 2, 1]);
    assert!(turns.iter().all(|turn| !turn.invalid));
    assert!(turns[9].terminated && !turns[8].terminated);
}

#[test]
fn the_station_of_seed_42_shows_its_lanes_and_prices() {
    let (mut obs, mut mask, mut alive) = ([0.0; OBS], [0; ACTIONS], [0]);
    fresh(42).observe(&mut View { obs: &mut obs, mask: &mut mask, alive: &mut alive });
    let ticks = [4.0, 3.0, 1.0, 7.0, 1.0];
    let fuel = [46.993_32, 77.859_9, 60.362_858, 38.786_026, 89.615_524];
    for lane in 0..5 {
        assert_eq!(obs[24 + 7 * lane + 4], ticks[lane] * (1.0 / 8.0));
        assert_eq!(obs[24 + 7 * lane + 5], fuel[lane] * (1.0 / 160.0));
    }
    assert_eq!(obs[59], 0.0);
    assert_eq!(obs[244], 37.328_82 * (1.0 / 45.0));
    assert_eq!(obs[256], 57.912_247 * (1.0 / 500.0));
    assert_eq!(&mask[..7], &[1, 1, 1, 1, 1, 0, 1]);
}

#[test]
fn stepping_after_the_end_changes_nothing() {
    let mut world = fresh(3);
    world.advance(68);
    let state = world.generator_state();
    let turn = world.advance(29);
    assert_eq!((turn.dt, turn.action, turn.reward), (0, -1, 0.0));
    assert!(turn.terminated && !turn.truncated && turn.invalid);
    assert_eq!(world.generator_state(), state);
}

/// A belt with fewer nodes than the one before it must not remember the rest.
#[test]
fn a_reset_forgets_the_episode_before() {
    for seed in 0..50 {
        let mut used = fresh(seed + 1);
        for action in 0..60 {
            used.advance(action);
        }
        used.reset(seed);
        assert_eq!(digest_of(&used), digest_of(&fresh(seed)));
    }
}

#[test]
fn settings_that_are_no_measure_become_the_defaults() {
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let config = Config { time_max: bad, invalid_action_penalty: bad };
        assert_eq!(config.sound(), Config::default());
    }
}
