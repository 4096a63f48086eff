"""Many generators of random numbers as rows of one array: numpy's own, stepped inside kernels.

numpy's generator is PCG64 (O'Neill 2014): a 128-bit number that is multiplied and added to, and 64 bits of it
shown. It is stepped here, because a thousand generators called one by one cost more than their cards. This
knows no card: whoever only draws numbers does not wait for the tables that rank hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from solverlab.core.kernel import inner_kernel, kernel

MULTIPLIER = (np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645))
LOW, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
TURN, WORD, FINE = np.uint64(58), np.uint64(63), np.uint64(11)
STEP = 1.0 / 9007199254740992.0  # 2**-53


def generator_words(seeds: Iterable[Sequence[int]]) -> np.ndarray:
    """The state of `np.random.default_rng(seed)` for every seed, uint64[G, 4]: state, increment, high first.

    >>> words = generator_words([[7]])
    >>> next_number(words[0]) == np.random.default_rng([7]).random()
    True
    """
    rows = []
    for seed in seeds:
        state = np.random.PCG64(np.random.SeedSequence(seed)).state["state"]
        both = (state["state"], state["inc"])
        rows.append([word >> shift & (2**64 - 1) for word in both for shift in (64, 0)])
    return np.array(rows, np.uint64).reshape(-1, 4)


@inner_kernel
def next_word(words):
    """The next 64 random bits of a generator words[4], which moves on."""
    high, low = words[0], words[1]
    a, b = low >> HALF, low & LOW
    c, d = MULTIPLIER[1] >> HALF, MULTIPLIER[1] & LOW
    middle = a * d + (b * d >> HALF)
    across = b * c + (middle & LOW)
    carried = a * c + (middle >> HALF) + (across >> HALF)
    high = high * MULTIPLIER[1] + low * MULTIPLIER[0] + carried
    low = low * MULTIPLIER[1]
    words[1] = low + words[3]
    words[0] = high + words[2] + np.uint64(words[1] < low)
    turn, bits = words[0] >> TURN, words[0] ^ words[1]
    return bits >> turn | bits << (np.uint64(64) - turn & WORD)


@inner_kernel
def next_number(words):
    """The next number from 0 to below 1."""
    return (next_word(words) >> FINE) * STEP


@kernel
def fill_words(words, into):
    """The next 64 random bits for every place of uint64[n]."""
    for k in range(len(into)):
        into[k] = next_word(words)
