"""What a limp, raises and betting after the draw are worth to the button with the real 2-to-7 deck."""

from __future__ import annotations

from typing import Any, NamedTuple

from solverlab.games.lowball_real_betting import BettingLowball
from solverlab.proof.verdict import Claim, Verdict
from solverlab.solvers.draw_betting import DrawBetting
from solverlab.solvers.draw_betting_score import score_betting

VARIANTS: dict[str, dict[str, Any]] = {
    "push/fold": {},
    "with a limp": {"limp": True},
    "with a raise to 2": {"raises": (2,)},
    "with a limp, and a pot bet after the draw": {"limp": True, "bets": (1,)},
}


class Sizes(NamedTuple):
    """How much to do; `target` is the NashConv in big blinds a variant has to reach within the model."""

    cards: int
    stack: float
    iterations: int
    deals: int
    target: float


FULL = Sizes(5, 8.0, 24, 400_000, 0.03)
QUICK = Sizes(2, 8.0, 100, 20_000, 0.03)


def prove(quick: bool = False) -> Verdict:
    """Solve every variant at one stack and compare the button's values on the same fresh deals."""
    sizes = QUICK if quick else FULL
    rows: list[dict[str, Any]] = []
    claims: list[Claim] = []
    for name, options in VARIANTS.items():
        row = {"variant": name, **_measured(sizes, options)}
        row["adds"] = row["value"] - (rows[0]["value"] if rows else row["value"])
        # Both values err by their sampling and by what either player could still gain; three sigmas, summed.
        row["adds_error"] = sum(
            3 * each["value_error"] + each["upper"] for each in (rows[0] if rows else row, row)
        )
        rows.append(row)
        print(f"  {name}: {row['value']:+.4f}, adds {row['adds']:+.4f} ± {row['adds_error']:.4f}", flush=True)
        claims.append(Claim(f"{name}: NashConv within the model", row["model_nash_conv"], sizes.target))
    return Verdict(claims, {"stack": sizes.stack, "cards": sizes.cards, "variants": rows})


def _measured(sizes: Sizes, options: dict[str, Any]) -> dict[str, Any]:
    solver = DrawBetting(BettingLowball(sizes.stack, cards=sizes.cards, **options), order=0)
    solver.advance(sizes.iterations)
    policy = solver.policy()
    finer = solver.followed(1)  # answers that know which cards the other cannot hold
    values = [finer.value_of(me, policy) for me in (0, 1)]
    best = [finer.answer(me, policy) for me in (0, 1)]
    modelled = best[0][0] + best[1][0] - sum(values)
    score = score_betting(solver, policy, [answer for _, answer in best], sizes.deals, rng=1)
    return {
        "iterations": sizes.iterations,
        "model_value": values[0],
        "model_nash_conv": modelled,
        "value": score.value,
        "value_error": score.value_error,
        "scored_nash_conv": score.nash_conv,
        "scored_error": score.nash_conv_error,
        "upper": max(modelled, score.nash_conv + 3 * score.nash_conv_error),
        "deals": score.deals,
    }
