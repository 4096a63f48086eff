"""What a limp, raises and betting after the draw are worth to the button with the real 2-to-7 deck."""

from __future__ import annotations

from typing import Any, NamedTuple

from solverlab.core.rows import Row
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.proof.verdict import Claim, Verdict
from solverlab.solvers.draw.betting import DrawBetting

PUSH_FOLD: Row = {}
LIMP, RAISE, BET = {"limp": True}, {"raises": (2,)}, {"limp": True, "bets": (1,)}
VARIANTS: dict[str, Row] = {
    "push/fold": PUSH_FOLD,
    "with a limp": LIMP,
    "with a raise to 2": RAISE,
    "with a limp, and a pot bet after the draw": BET,
}
STACK = 8.0  # the button loses at push/fold


class Sizes(NamedTuple):
    """How much to do with a deck; `target` is the NashConv in big blinds a variant has to reach."""

    deck: Row
    iterations: int
    deals: int
    target: float


RANKS_ONLY, REAL = {"cards": 5, "suits": False}, {"cards": 5}
FULL = (Sizes(RANKS_ONLY, 80, 300_000, 0.02), Sizes(REAL, 60, 200_000, 0.03))
QUICK = (Sizes({"cards": 2}, 100, 20_000, 0.03),)


def prove(quick: bool = False) -> Verdict:
    """Solve every variant at one stack and compare the button's values on the same fresh deals."""
    claims: list[Claim] = []
    decks = [_compared(sizes, claims) for sizes in (QUICK if quick else FULL)]
    return Verdict(claims, {"stack": STACK, "decks": decks})


def _compared(sizes: Sizes, claims: list[Claim]) -> Row:
    rows: list[Row] = []
    for name, options in VARIANTS.items():
        row = {"variant": name, **_measured(sizes, options)}
        base = rows[0] if rows else row
        row["adds"] = row["value"] - base["value"]
        # Both values err by their sampling and by what either player could still gain; three sigmas, summed.
        row["adds_error"] = sum(3 * each["value_error"] + each["upper"] for each in (base, row))
        rows.append(row)
        print(f"  {name}: {row['value']:+.4f}, adds {row['adds']:+.4f} ± {row['adds_error']:.4f}", flush=True)
        sentence = f"{sizes.deck}, {name}: NashConv within the model"
        claims.append(Claim(sentence, row["model_nash_conv"], sizes.target))
    return {"deck": sizes.deck, "variants": rows}


def _measured(sizes: Sizes, options: Row) -> Row:
    solver = DrawBetting(BettingLowball(STACK, **sizes.deck, **options))
    snap = solver.measure(solver.step(sizes.iterations), sizes.deals, rng=1)
    return {"iterations": sizes.iterations, **snap.metrics}
