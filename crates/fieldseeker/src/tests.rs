use astrarium_kernel::{Autoreset, Batch, World};

use crate::{Config, Fieldseeker, REACHED_M};

/// Steer by the hidden state until the episode ends; whether the fire was reached.
fn steers_home(seed: u64) -> bool {
    let mut batch =
        Batch::<Fieldseeker>::new(Config::default(), 1, 1, Autoreset::Disabled).expect("a batch");
    batch.reset_with_seeds(&[seed]).expect("reset");
    for _ in 0..Config::default().ticks_max {
        let mut hidden = [0.0; 6];
        batch.reveal(&mut hidden).expect("revealed");
        let bearing = libm::atan2f(hidden[5] - hidden[1], hidden[4] - hidden[0]) - hidden[2];
        let controls = batch.arrays_mut().controls.as_mut_slice();
        controls.copy_from_slice(&[1.0, 2.0 * libm::sinf(bearing)]);
        batch.step().expect("stepped");
        if batch.arrays_mut().terminated.as_mut_slice()[0] == 1 {
            return true;
        }
    }
    false
}

#[test]
fn steering_at_the_fire_reaches_it() {
    let reached = (0..16).filter(|&seed| steers_home(seed)).count();
    assert!(reached >= 15, "{reached} of 16");
}

#[test]
fn a_restored_search_feels_what_it_felt() {
    let config = Config::default();
    let mut search = Fieldseeker::new(&config);
    search.reset(3);
    let bytes = postcard::to_allocvec(&search).expect("stored");
    let mut restored: Fieldseeker = postcard::from_bytes(&bytes).expect("restored");
    restored.check(&config).expect("sound");
    restored.restored(&config);
    assert_eq!(restored, search);
    assert!(search.distance_m() > REACHED_M);
    assert!(search.felt.iter().any(|&felt| felt > 0.0), "no warmth anywhere");
    restored.heading = f32::NAN;
    assert!(restored.check(&config).is_err());
}
