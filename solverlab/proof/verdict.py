"""What a proof returns: claims, each a number and the limit it has to keep, and what lies behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from solverlab.core.rows import Row


@dataclass(frozen=True)
class Claim:
    """One sentence and its number: it holds if what was measured is at most the limit.

    >>> Claim("Kuhn is worth -1/18", measured=1e-12, limit=1e-9).holds
    True
    >>> Claim("nothing was measured", measured=float("nan"), limit=1.0).holds
    False
    """

    sentence: str
    measured: float
    limit: float

    @property
    def holds(self) -> bool:
        return bool(self.measured <= self.limit)

    def record(self) -> Row:
        return {"claim": self.sentence, "measured": self.measured, "limit": self.limit, "holds": self.holds}


@dataclass(frozen=True)
class Verdict:
    """The claims of a proof and the tables of numbers they rest on."""

    claims: list[Claim]
    numbers: Mapping[str, object] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return bool(self.claims) and all(claim.holds for claim in self.claims)

    def record(self) -> Row:
        """Plain JSON values."""
        return {"holds": self.holds, "claims": [claim.record() for claim in self.claims], **self.numbers}
