"""The line of numbers above the grids: what the solution is worth, and how exact it is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from solverlab.core.snapshot import Snapshot
from solverlab.studies.exploit_caller import Answer
from solverlab.ui.numbers import number, signed
from solverlab.ui.skeleton.guides import term
from solverlab.views.pushfold_cells import goes_in
from solverlab.views.pushfold_chart import chance_in, share_in


def score_html(
    snap: Snapshot, stack: float, nodes: Sequence[str], hand: str = "", answer: Answer | None = None
) -> str:
    """Stack, share that goes in at the shown decisions, value, and the exact distance from equilibrium.

    A chosen hand is told first: how often it goes in at the shown decisions.

    Against a caller outside the equilibrium the best answer's value and gain are told, not a distance.

    With three players there is no exploitability: what each seat could gain by deviating is told instead.
    """
    names, policy = snap.names, snap.policy if answer is None else answer.policy
    items = [f"stack<b>{stack:g}</b> <small>big blinds</small>"]
    if hand:
        plays = " / ".join(goes_in(names, node) for node in nodes)
        shares = " / ".join(f"{100 * chance_in(policy, node, hand):.0f} %" for node in nodes)
        items.append(f"{escape(hand)} {plays}<b>{shares}</b>")
    if len(names.players) == 2:
        for node in dict.fromkeys(nodes):
            items.append(f"{goes_in(names, node)}<b>{100 * share_in(policy, node):.1f} %</b>")
        items += _worth(snap, answer)
    else:
        gains = snap.metrics["deviation_gains"]
        seats = "".join(
            f" {escape(seat)}<b>{number(gain)}</b>" for seat, gain in zip(names.players, gains, strict=True)
        )
        items.append(f"{term('deviation gain')}: {seats} <small>big blinds</small>")
    return f"<div class='score'>{''.join(f'<div>{item}</div>' for item in items)}</div>"


def _worth(snap: Snapshot, answer: Answer | None) -> list[str]:
    """What the small blind wins: in the equilibrium with its distance, or against a caller."""
    if answer is None:
        gap = f"{term('exploitability')}<b>{number(snap.exploitability)}</b> <small>big blinds</small>"
        return [f"value to the small blind<b>{signed(snap.value)}</b>", gap]
    return [
        f"best answer wins<b>{signed(round(answer.value, 4))}</b>",
        f"equilibrium<b>{signed(answer.equilibrium)}</b> <small>big blinds</small>",
    ]
