//! SHA-256 and BLAKE2s, for keys of streams and for names: computed once, never per tick.

const SHA_START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
fn sha_constants() -> [u32; 64] {
    let mut constants = [0; 64];
    let mut candidate = 2u128;
    for slot in &mut constants {
        while (2..candidate).any(|divisor| candidate.is_multiple_of(divisor)) {
            candidate += 1;
        }
        // floor(cbrt(p) * 2^32) by bisection over whole numbers.
        let (mut low, mut high) = (0u128, 1u128 << 36);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if middle * middle * middle <= candidate << 96 { low = middle } else { high = middle }
        }
        *slot = low as u32;
        candidate += 1;
    }
    constants
}

/// SHA-256.
#[must_use]
pub fn sha256(message: &[u8]) -> [u8; 32] {
    let constants = sha_constants();
    let mut state = SHA_START;
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded
        .resize(padded.len().next_multiple_of(64) + if padded.len() % 64 > 56 { 64 } else { 0 }, 0);
    let end = padded.len();
    padded[end - 8..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        sha_block(&mut state, block, &constants);
    }
    let mut out = [0; 32];
    for (bytes, word) in out.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    out
}

fn sha_block(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for t in 16..64 {
        let (near, far) = (words[t - 2], words[t - 15]);
        let first = near.rotate_right(17) ^ near.rotate_right(19) ^ (near >> 10);
        let second = far.rotate_right(7) ^ far.rotate_right(18) ^ (far >> 3);
        words[t] =
            first.wrapping_add(words[t - 7]).wrapping_add(second).wrapping_add(words[t - 16]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for t in 0..64 {
        let choice = (e & f) ^ (!e & g);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let big_e = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let big_a = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let one = (h.wrapping_add(big_e).wrapping_add(choice))
            .wrapping_add(constants[t])
            .wrapping_add(words[t]);
        let two = big_a.wrapping_add(majority);
        (h, g, f, e) = (g, f, e, d.wrapping_add(one));
        (d, c, b, a) = (c, b, a, one.wrapping_add(two));
    }
    for (slot, value) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *slot = slot.wrapping_add(value);
    }
}

const BLAKE_ORDER: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// BLAKE2s of 32 bytes, without a key.
#[must_use]
pub fn blake2s(message: &[u8]) -> [u8; 32] {
    let mut state = SHA_START;
    state[0] ^= 0x0101_0020;
    let blocks = message.len().div_ceil(64).max(1);
    for index in 0..blocks {
        let mut block = [0u8; 64];
        let rest = &message[index * 64..message.len().min((index + 1) * 64)];
        block[..rest.len()].copy_from_slice(rest);
        let counted = (index * 64 + rest.len()) as u32;
        blake_block(&mut state, &block, counted, index + 1 == blocks);
    }
    let mut out = [0; 32];
    for (bytes, word) in out.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    out
}

fn blake_block(state: &mut [u32; 8], block: &[u8; 64], counted: u32, last: bool) {
    let mut words = [0u32; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    let mut v = [0u32; 16];
    v[..8].copy_from_slice(state);
    v[8..].copy_from_slice(&SHA_START);
    v[12] ^= counted;
    if last {
        v[14] = !v[14];
    }
    for order in &BLAKE_ORDER {
        for half in 0..2 {
            for lane in 0..4 {
                let shift = |by: usize| 4 * by + (lane + half * by) % 4;
                let at = [shift(0), shift(1), shift(2), shift(3)];
                let pair = 2 * (4 * half + lane);
                blake_mix(&mut v, at, words[order[pair]], words[order[pair + 1]]);
            }
        }
    }
    for (index, slot) in state.iter_mut().enumerate() {
        *slot ^= v[index] ^ v[index + 8];
    }
}

fn blake_mix(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(12);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(8);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(7);
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
