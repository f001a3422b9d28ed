//! The snapshot container: versioned, checked, the same bytes on every platform.
//!
//! ```text
//! mark "ASTRSNAP" | format u16 | header length u32 | body length u64 | header | body | checksum u64
//! ```
//!
//! Integers are little-endian; header and body are postcard; the checksum is XXH64 of all bytes
//! before it. Nothing of the body is interpreted
//! before mark, format, checksum and header have been accepted.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::digest::digest_bytes;
use crate::error::SnapshotError;

const MARK: &[u8; 8] = b"ASTRSNAP";
const FORMAT: u16 = 1;
const LENGTHS_AT: usize = MARK.len() + 2;
const HEADER_AT: usize = LENGTHS_AT + 4 + 8;
const CHECKSUM_BYTES: usize = 8;

/// What a snapshot says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The world's registered name.
    pub world: String,
    /// The version of its stored state.
    pub state_version: u32,
    /// Digest of the config it was taken under.
    pub config: u64,
    /// Number of worlds inside.
    pub worlds: u32,
}

pub(crate) fn seal<B: Serialize>(header: &Header, body: &B) -> Vec<u8> {
    let head = postcard::to_allocvec(header).expect("a header has a postcard encoding");
    let body = postcard::to_allocvec(body).expect("a state has a postcard encoding");
    let mut bytes = Vec::with_capacity(HEADER_AT + head.len() + body.len() + CHECKSUM_BYTES);
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&(head.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&head);
    bytes.extend_from_slice(&body);
    let checksum = digest_bytes(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Read the header of a snapshot without its body.
///
/// # Errors
/// If the bytes are not a whole, undamaged snapshot of a format this build reads.
pub fn peek(bytes: &[u8]) -> Result<Header, SnapshotError> {
    open(bytes).map(|(header, _)| header)
}

/// Check the container and give back the header and the still encoded body.
pub(crate) fn open(bytes: &[u8]) -> Result<(Header, &[u8]), SnapshotError> {
    let given = bytes.len() as u64;
    if !bytes.starts_with(&MARK[..bytes.len().min(MARK.len())]) {
        return Err(SnapshotError::NotASnapshot);
    }
    let least = (HEADER_AT + CHECKSUM_BYTES) as u64;
    if given < least {
        return Err(SnapshotError::Truncated { given, needed: least });
    }
    let number = |at: usize, width: usize| {
        bytes[at..at + width].iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte))
    };
    let found = number(MARK.len(), 2) as u16;
    if found != FORMAT {
        return Err(SnapshotError::Format { found, readable: FORMAT });
    }
    let (head, body) = (number(LENGTHS_AT, 4), number(LENGTHS_AT + 4, 8));
    let needed = least.saturating_add(head).saturating_add(body);
    if given < needed {
        return Err(SnapshotError::Truncated { given, needed });
    }
    let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
    if given > needed || digest_bytes(content).to_le_bytes() != checksum {
        return Err(SnapshotError::Damaged);
    }
    let (head, body) = content[HEADER_AT..].split_at(head as usize);
    Ok((decode(head)?, body))
}

/// Decode exactly `bytes`: leftover bytes mean the writer and the reader disagree.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, SnapshotError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => {
            Err(SnapshotError::Impossible { reason: format!("{} bytes left over", rest.len()) })
        }
        Err(error) => Err(SnapshotError::Impossible { reason: error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Vec<u8> {
        let header = Header { world: "lanterns-v1".into(), state_version: 1, config: 7, worlds: 2 };
        seal(&header, &vec![1u32, 2, 3])
    }

    #[test]
    fn what_is_sealed_opens() {
        let bytes = sample();
        let (header, body) = open(&bytes).expect("whole");
        assert_eq!((header.world.as_str(), header.worlds), ("lanterns-v1", 2));
        assert_eq!(decode::<Vec<u32>>(body), Ok(vec![1, 2, 3]));
    }

    #[test]
    fn another_format_is_named() {
        let mut bytes = sample();
        bytes[8] = 9;
        assert_eq!(peek(&bytes), Err(SnapshotError::Format { found: 9, readable: FORMAT }));
    }

    proptest! {
        #[test]
        fn any_flipped_bit_is_noticed(bit in 0usize..8 * 40) {
            let mut bytes = sample();
            let bit = bit % (8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(peek(&bytes).is_err());
        }

        #[test]
        fn any_cut_is_noticed(keep in 0usize..60) {
            let bytes = sample();
            let keep = keep % bytes.len();
            let cut = matches!(peek(&bytes[..keep]), Err(SnapshotError::Truncated { .. }));
            prop_assert!(cut, "said to be cut short, not damaged");
        }

        #[test]
        fn noise_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(peek(&bytes).is_err());
        }

        #[test]
        fn noise_behind_a_valid_checksum_never_panics(
            noise in proptest::collection::vec(any::<u8>(), 0..200)
        ) {
            let mut bytes = MARK.to_vec();
            bytes.extend_from_slice(&FORMAT.to_le_bytes());
            let head = noise.len() / 2;
            bytes.extend_from_slice(&(head as u32).to_le_bytes());
            bytes.extend_from_slice(&((noise.len() - head) as u64).to_le_bytes());
            bytes.extend_from_slice(&noise);
            let checksum = digest_bytes(&bytes);
            bytes.extend_from_slice(&checksum.to_le_bytes());
            let _ = open(&bytes).and_then(|(_, body)| decode::<Vec<u64>>(body));
        }
    }
}
