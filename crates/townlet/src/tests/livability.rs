//! A careful citizen can live here; a careless one cannot for long, and an idle one not at all.

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

/// How many left each of twelve towns whose citizens see to a need only once it is below 0.15, in
/// all and of unemployment or neglect.
fn left_by_the_careless(days: u32) -> Vec<(f32, f32)> {
    let one = |agents, seed| {
        let mut document = town_of(agents);
        document.behavior.hunger_threshold = 0.15;
        document.behavior.hygiene_threshold = 0.15;
        document.behavior.energy_threshold = 0.15;
        document.behavior.urgent_threshold = 0.1;
        let mut stage = Stage::new(document, seed);
        stage.live(days * 1_000);
        (stage.stat("exits"), stage.stat("unemployed") + stage.stat("neglected"))
    };
    [6, 8, 10].into_iter().flat_map(|agents| (0..4).map(move |seed| one(agents, seed))).collect()
}

#[test]
fn careless_citizens_do_not_last() {
    let left = left_by_the_careless(10);
    let losing = left.iter().filter(|(all, _)| *all > 0.0).count();
    assert!(losing * 3 >= left.len() * 2, "{left:?}");
}

/// Who sleeps too late misses shifts, and that ends a life here before its purse is empty.
#[test]
#[ignore = "a month of twelve towns"]
fn careless_citizens_mostly_lose_their_work() {
    let left = left_by_the_careless(30);
    let sum = |which: fn(&(f32, f32)) -> f32| left.iter().map(which).sum::<f32>();
    assert!(sum(|one| one.0) >= 20.0, "{left:?}");
    assert!(sum(|one| one.1) >= 0.5 * sum(|one| one.0), "{left:?}");
}

/// At night most people are asleep; by day few are, at first to make up for the first night.
#[test]
fn people_sleep_at_night() {
    for (agents, seed) in [(4, 1), (8, 2), (10, 3)] {
        let mut stage = Stage::new(town_of(agents), seed);
        let (mut night, mut day, mut ticks) = (0, 0, 0);
        for tick in 0..5_000 {
            stage.live(1);
            let asleep = stage.world.town.roles.sleep;
            let count = stage.state().agents.iter().filter(|agent| agent.running == asleep).count();
            let tod = tick % 1_000;
            // From 22:00 to 06:00; the first morning begins in the middle of a night.
            if tick > 750 && !(83..750).contains(&tod) {
                night += count;
                ticks += usize::from(agents);
            } else {
                day += count;
            }
        }
        assert!(night * 2 > ticks, "{night} of {ticks} at night");
        assert!(day * 2 < night, "{day} by day, {night} at night");
    }
}

/// Careful citizens let no need fall below 0.3, from the first day on.
#[test]
fn scripted_citizens_look_ahead() {
    for (agents, seed) in [(6, 1), (8, 2), (10, 3)] {
        let mut stage = Stage::new(town_of(agents), seed);
        let mut low = std::collections::BTreeSet::new();
        for tick in 0..5_000 {
            stage.live(1);
            let people = stage.state().agents.iter().enumerate();
            low.extend(
                people
                    .filter(|(_, one)| one.lowest() <= 300_000)
                    .map(|(seat, _)| (seat, tick / 1_000)),
            );
        }
        assert!(low.len() * 10 <= usize::from(agents) * 5, "{low:?}");
    }
}
