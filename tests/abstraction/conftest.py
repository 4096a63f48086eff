"""The four streets, built once a session in the session's own folder."""

from __future__ import annotations

import pytest

from solverlab.abstraction.strength import StreetStrength, hand_strength


@pytest.fixture(scope="session")
def streets() -> dict[str, StreetStrength]:
    """Exact strength of every hand of every street."""
    return {street: hand_strength(street) for street in ("preflop", "flop", "turn", "river")}
