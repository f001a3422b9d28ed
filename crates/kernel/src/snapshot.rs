//! The snapshot container: versioned, checked, the same bytes on every platform.
//!
//! ```text
//! mark "ASTRSNAP" | format u16 | header length u32 | header | body | XXH64 of all before, u64
//! ```
//!
//! Integers are little-endian; header and body are postcard. Nothing of the body is interpreted
//! before mark, format, checksum and header have been accepted.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::digest::digest_bytes;
use crate::error::SnapshotError;

const MARK: &[u8; 8] = b"ASTRSNAP";
const FORMAT: u16 = 1;
const HEADER_AT: usize = MARK.len() + 2 + 4;
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
    let mut bytes = Vec::with_capacity(HEADER_AT + head.len() + CHECKSUM_BYTES);
    bytes.extend_from_slice(MARK);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&(head.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&head);
    let mut bytes = postcard::to_extend(body, bytes).expect("a state has a postcard encoding");
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
    let short = |needed: usize| SnapshotError::Truncated { given, needed: needed as u64 };
    if !bytes.starts_with(&MARK[..bytes.len().min(MARK.len())]) {
        return Err(SnapshotError::NotASnapshot);
    }
    if bytes.len() < HEADER_AT + CHECKSUM_BYTES {
        return Err(short(HEADER_AT + CHECKSUM_BYTES));
    }
    let found = u16::from_le_bytes([bytes[MARK.len()], bytes[MARK.len() + 1]]);
    if found != FORMAT {
        return Err(SnapshotError::Format { found, readable: FORMAT });
    }
    let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
    if digest_bytes(content).to_le_bytes() != checksum {
        return Err(SnapshotError::Damaged);
    }
    let length = content[MARK.len() + 2..HEADER_AT]
        .iter()
        .rev()
        .fold(0usize, |length, &byte| length << 8 | usize::from(byte));
    let head = content
        .get(HEADER_AT..HEADER_AT.saturating_add(length))
        .ok_or_else(|| short(HEADER_AT.saturating_add(length).saturating_add(CHECKSUM_BYTES)))?;
    let header = decode(head)?;
    Ok((header, &content[HEADER_AT + length..]))
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
            prop_assert!(peek(&bytes[..keep]).is_err());
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
            bytes.extend_from_slice(&noise);
            let checksum = digest_bytes(&bytes);
            bytes.extend_from_slice(&checksum.to_le_bytes());
            let _ = open(&bytes).and_then(|(_, body)| decode::<Vec<u64>>(body));
        }
    }
}
