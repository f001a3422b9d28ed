//! Hashes of names and seeds: computed once, never per tick.

use blake2::Blake2s256;
use sha2::{Digest, Sha256};

/// SHA-256.
#[must_use]
pub fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message).into()
}

/// BLAKE2s of 32 bytes, without a key.
#[must_use]
pub fn blake2s(message: &[u8]) -> [u8; 32] {
    Blake2s256::digest(message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The published check values of both.
    #[test]
    fn match_the_published_check_vectors() {
        assert_eq!(
            hex(&sha256(b"abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            hex(&sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(
            hex(&blake2s(b"abc")),
            "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"
        );
        assert_eq!(
            hex(&blake2s(b"")),
            "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9"
        );
    }
}
