//! Spoilage, where it is on: meals people carry go bad. What lies in a fridge keeps.

use serde::{Deserialize, Serialize};

use crate::events::{Event, bit};
use crate::state::State;
use crate::town::{MEAL, Town};

/// Lots of meals that are told apart; those made after so many join the newest.
const LOTS: usize = 8;

/// When the meals of a person were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pantry {
    /// Ticks, oldest lot first.
    made: [u32; LOTS],
    /// Meals of each lot.
    meals: [u16; LOTS],
    /// Lots there are.
    lots: u8,
}

impl Pantry {
    /// As many meals as `carried`: new ones are from `tick`, the oldest were eaten first.
    fn keep_up(&mut self, carried: u16, tick: u32) {
        let known: u16 = self.meals[..usize::from(self.lots)].iter().sum();
        if carried > known {
            self.add(carried - known, tick);
        } else {
            self.take(known - carried);
        }
    }

    fn add(&mut self, meals: u16, tick: u32) {
        if usize::from(self.lots) < LOTS {
            self.made[usize::from(self.lots)] = tick;
            self.lots += 1;
        }
        self.meals[usize::from(self.lots) - 1] += meals;
    }

    fn take(&mut self, mut meals: u16) {
        while meals > 0 && self.lots > 0 {
            let eaten = meals.min(self.meals[0]);
            self.meals[0] -= eaten;
            meals -= eaten;
            if self.meals[0] == 0 {
                self.drop_oldest();
            }
        }
    }

    fn drop_oldest(&mut self) {
        self.made.rotate_left(1);
        self.meals.rotate_left(1);
        (self.made[LOTS - 1], self.meals[LOTS - 1]) = (0, 0);
        self.lots -= 1;
    }

    /// Take out what was made `after` ticks ago or earlier; how many meals that were.
    fn throw_away(&mut self, tick: u32, after: u32) -> u16 {
        let mut meals = 0;
        while self.lots > 0 && tick - self.made[0].min(tick) >= after {
            meals += self.meals[0];
            self.drop_oldest();
        }
        meals
    }

    /// Whether it is one that rules can make.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        usize::from(self.lots) <= LOTS
    }
}

/// One tick of everybody's meals.
pub fn tick(town: &Town, state: &mut State) {
    let spoilage = &town.document.features.spoilage;
    if !spoilage.enabled {
        return;
    }
    for at in 0..state.order.len() {
        let seat = usize::from(state.order[at]);
        let agent = &mut state.agents[seat];
        let pantry = &mut state.annex.people[seat].pantry;
        pantry.keep_up(agent.items[MEAL], state.tick);
        let meals = pantry.throw_away(state.tick, spoilage.after_ticks);
        if meals > 0 {
            agent.items[MEAL] -= meals;
            agent.now.bits |= bit("meal_spoiled");
            state.annex.counts.spoiled += u32::from(meals);
            state.tell(Event::new("meal_spoiled").of(seat).value(f64::from(meals)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_meals_are_eaten_first_and_go_bad_first() {
        let mut pantry = Pantry::default();
        pantry.keep_up(2, 10);
        pantry.keep_up(5, 20);
        pantry.keep_up(4, 30);
        assert_eq!(pantry.throw_away(109, 100), 0);
        assert_eq!(pantry.throw_away(110, 100), 1, "one of the two had been eaten");
        assert_eq!(pantry.throw_away(120, 100), 3);
        assert_eq!(pantry, Pantry::default());
    }

    #[test]
    fn more_lots_than_there_is_room_for_lose_no_meal() {
        let mut pantry = Pantry::default();
        for lot in 1..=20 {
            pantry.keep_up(lot, u32::from(lot));
        }
        assert!(pantry.is_sound());
        assert_eq!(pantry.throw_away(1000, 100), 20);
    }
}
