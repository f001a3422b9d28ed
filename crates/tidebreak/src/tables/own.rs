//! Tables of a user's own, read while the program runs.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{TableTexts, Tables};

/// Bytes of one table's text, at most.
pub const TABLE_BYTES_MAX: usize = 1 << 20;
/// Different sets of tables that one process reads, at most: each stays in memory.
const SETS_MAX: usize = 64;

impl Tables {
    /// The tables of this build with some replaced by a user's, by name. Equal texts give the same
    /// tables, which stay for the life of the process.
    ///
    /// # Errors
    /// What is wrong with the texts: the table, the line or field, and what is allowed.
    pub fn with_own(own: &BTreeMap<String, String>) -> Result<&'static Self, String> {
        static READ: Mutex<Vec<(BTreeMap<String, String>, &'static Tables)>> =
            Mutex::new(Vec::new());
        if own.is_empty() {
            return Ok(Self::shipped());
        }
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tables)) = read.iter().find(|(texts, _)| texts == own) {
            return Ok(tables);
        }
        if read.len() == SETS_MAX {
            return Err(format!(
                "this process has read {SETS_MAX} different sets of tables, which is the most; \
                 start another"
            ));
        }
        let mut texts = TableTexts::shipped();
        for (name, text) in own {
            if text.len() > TABLE_BYTES_MAX {
                return Err(format!("table {name}: is larger than {TABLE_BYTES_MAX} bytes"));
            }
            if !texts.replace(name, text) {
                let known = TableTexts::NAMES.join(", ");
                return Err(format!(
                    "table {name}: there is no table of that name; there are {known}"
                ));
            }
        }
        let tables = Self::read(&texts).map_err(|error| error.to_string())?;
        let tables: &'static Self = Box::leak(Box::new(tables));
        read.push((own.clone(), tables));
        Ok(tables)
    }
}
