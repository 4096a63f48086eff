"""How much to measure: the full run, and the quick one that only shows that everything works."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Plan:
    """Sizes of a run: how long a sample lasts, how many there are, how long to wait for a target."""

    sample_seconds: float = 0.25
    repeats: int = 7
    processes: int = 5
    targets: dict[str, tuple[float, ...]] = field(
        # plain CFR creeps: 1e-6 is out of its reach within any patience
        default_factory=lambda: {"CFR": (1e-3,), "CFR+": (1e-3, 1e-6), "DCFR": (1e-3, 1e-6)}
    )
    patience: float = 20.0
    """Seconds of stepping a peer may need for a target; beyond them its time is reckoned instead."""
    long_patience: float = 120.0
    """The same for us, and for a peer whose iterations differ from ours, where reckoning is a guess."""
    long_repeats: int = 3
    """How often our own run to a target is timed."""
    games: tuple[str, ...] = ("Kuhn", "Leduc")
    every: int = 1
    """Every how manieth flop hand is clustered."""


FULL = Plan()
QUICK = Plan(
    sample_seconds=0.01,
    repeats=2,
    processes=1,
    targets={"CFR+": (1e-1, 1e-2)},
    patience=0.5,
    long_patience=0.5,
    long_repeats=2,
    every=50,
)
