//! Figures that something changes for a while.

use crate::state::Modifiers;

/// Which figure a modifier changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Stat {
    Speed = 0,
}

/// How a modifier changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Change {
    Add = 0,
    Multiply = 1,
    Set = 2,
}

/// The changes in force, as plugins may read them. Rows stand by target.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    target: &'a [u32],
    stat: &'a [u8],
    op: &'a [u8],
    value: &'a [f32],
}

impl<'a> Changes<'a> {
    /// Of the whole battle.
    #[must_use]
    pub fn of(modifiers: &'a Modifiers) -> Self {
        let Modifiers { target, stat, op, value, .. } = modifiers;
        Self { target, stat, op, value }
    }

    /// A figure with everything that changes it: (base + all sums) x all factors, unless a modifier
    /// sets it, which beats both; never outside `limits`.
    #[must_use]
    pub fn figure(&self, target: u32, stat: Stat, base: f32, limits: (f32, f32)) -> f32 {
        if self.target.is_empty() {
            return base.clamp(limits.0, limits.1);
        }
        let first = self.target.partition_point(|&owner| owner < target);
        let (mut sum, mut factor, mut fixed) = (base, 1.0, None);
        for row in first..self.target.len() {
            if self.target[row] != target {
                break;
            }
            if self.stat[row] != stat as u8 {
                continue;
            }
            match self.op[row] {
                op if op == Change::Add as u8 => sum += self.value[row],
                op if op == Change::Multiply as u8 => factor *= self.value[row],
                _ => fixed = fixed.or(Some(self.value[row])),
            }
        }
        fixed.unwrap_or(sum * factor).clamp(limits.0, limits.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Modifier;

    fn changed(changes: &[(u32, Change, f32)]) -> f32 {
        let mut modifiers = Modifiers::default();
        for &(target, op, value) in changes {
            let stat = Stat::Speed as u8;
            modifiers.push(Modifier { target, stat, op: op as u8, value, ..Modifier::default() });
        }
        Changes::of(&modifiers).figure(4, Stat::Speed, 10.0, (0.0, 100.0))
    }

    #[test]
    fn sums_come_before_factors_and_a_set_value_beats_both() {
        let sums = [(4, Change::Multiply, 0.5), (4, Change::Add, 2.0), (4, Change::Add, 4.0)];
        assert_eq!(changed(&sums), 8.0);
        assert_eq!(changed(&[sums[0], (4, Change::Set, 3.0), sums[1]]), 3.0);
        assert_eq!(changed(&[(3, Change::Set, 1.0), (5, Change::Set, 2.0)]), 10.0);
        assert_eq!(changed(&[(4, Change::Multiply, 50.0)]), 100.0);
        assert_eq!(changed(&[]), 10.0);
    }
}
