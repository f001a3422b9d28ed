//! A stable 64-bit digest of anything that can be stored.
//!
//! XXH64 with seed 0 over the postcard encoding. The language's own hasher may change between
//! compilers, and hashing memory would see padding and pointer width; neither can happen here.

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use xxhash_rust::xxh64::Xxh64;

struct Hashing(Xxh64);

impl Flavor for Hashing {
    type Output = u64;

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.update(&[byte]);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.update(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<u64> {
        Ok(self.0.digest())
    }
}

/// The digest of `value`. Allocates nothing.
///
/// # Panics
/// If `value` cannot be encoded at all (a sequence of unknown length), which is a fault of its type.
#[must_use]
pub fn digest_of<T: Serialize>(value: &T) -> u64 {
    postcard::serialize_with_flavor(value, Hashing(Xxh64::new(0)))
        .expect("a stored type must have a postcard encoding")
}

/// The digest of raw bytes.
#[must_use]
pub fn digest_bytes(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh64::xxh64(bytes, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// XXH64 of the empty input and of "abc", as published with the algorithm.
    #[test]
    fn matches_the_published_check_vectors() {
        assert_eq!(digest_bytes(b""), 0xef46_db37_51d8_e999);
        assert_eq!(digest_bytes(b"abc"), 0x44bc_2cf5_ad77_0999);
    }

    #[test]
    fn streaming_equals_hashing_the_encoding() {
        let value = (3u8, [1.5f32, -0.25], "belt", vec![1u64, 1 << 40]);
        let bytes = postcard::to_allocvec(&value).expect("encodes");
        assert_eq!(digest_of(&value), digest_bytes(&bytes));
    }
}
