"""Hands in words: the table of pushes, calls and discards, and the plan of one hand."""

from __future__ import annotations

from html import escape

import numpy as np

from solverlab.ui.lowball.table import LowballStrategy, Mix

MOST_ROWS = 120
STYLE = """<style>
.draws { font-size: 0.88em; }
.draws td.draw { text-align: left; white-space: nowrap; padding: 2px 4px 2px 10px; }
.draws thead th { text-align: left; padding-left: 10px; }
.draws thead th:first-child { padding-left: 6px; }
.plan td { text-align: left; white-space: normal; vertical-align: top; }
.plan th { white-space: normal; font-weight: 600; vertical-align: top; width: 46%; padding-left: 0; }
</style>"""
RARE = 0.02  # discards rarer than this are not named one by one
RARE_TOGETHER = 5e-4


def table_html(
    strategy: LowballStrategy, line: str, only: str = "", sort: str = "best", hand: int = -1
) -> str:
    """One row a hand: how often it goes in and calls, and what it throws away for each count seen."""
    chosen = sorted_hands(strategy, only, sort)
    push, call = strategy.going_in()
    counts = "".join(f"<th>button, saw {n}</th>" for n in range(strategy.cards + 1))
    head = f"<tr><th>hand</th><th>all-in</th><th>call</th><th>big blind throws</th>{counts}</tr>"
    rows = []
    for number in map(int, chosen[:MOST_ROWS]):
        draws = "".join(f"<td class='draw'>{mix_html(mix)}</td>" for _, mix in strategy.draws(number, line))
        mark = " class='chosen'" if number == hand else ""
        rows.append(
            f"<tr{mark}><th>{escape(strategy.hand(number))}</th><td>{push[number]:.3f}</td>"
            f"<td>{call[number]:.3f}</td>{draws}</tr>"
        )
    shown = min(len(chosen), MOST_ROWS)
    told = f"<p class='quiet'>{shown:,} of {len(chosen):,} hands{_of_all(strategy, chosen)}.</p>"
    return f"{STYLE}{told}<table class='draws'><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def sorted_hands(strategy: LowballStrategy, only: str, sort: str) -> np.ndarray:
    """The hands that hold the cards asked for, in the order asked for."""
    chosen = strategy.matching(only)
    if sort == "best":
        return chosen
    chances = strategy.going_in()[0 if sort == "push" else 1]
    return chosen[np.argsort(-chances[chosen], kind="stable")]


def _of_all(strategy: LowballStrategy, chosen: np.ndarray) -> str:
    if len(chosen) == strategy.size:
        return "; the search box finds the others" if len(chosen) > MOST_ROWS else ""
    return f" with these cards ({strategy.size:,} in all)"


def mix_html(mix: Mix) -> str:
    """What is done most, and what else if it is not rare.

    >>> mix_html([("draw 1: keep 5", 0.75), ("stand pat", 0.25)])
    'draw 1: keep 5 <small>75 %</small><br>stand pat <small>25 %</small>'
    """
    if mix and mix[0][1] > 1 - RARE:
        return escape(mix[0][0])
    told = [(words, share) for words, share in mix if share >= RARE][:3]
    return "<br>".join(f"{escape(words)} <small>{100 * share:.0f} %</small>" for words, share in told)


def plan_html(strategy: LowballStrategy, text: str, line: str) -> str:
    """What to do with one hand: bets, then discards in each seat."""
    name, bets, draws = strategy.plan(text, line)
    parts = [f"{STYLE}<h2>{escape(name)}</h2><table class='plan'>"]
    for where, mix in bets:
        parts.append(f"<tr><th>{escape(where)}</th><td>{_all_of(mix)}</td></tr>")
    if len(strategy.lines) > 1:
        told = f"draws after {escape(strategy.lines[line])}"
        parts.append(f"<tr><th colspan=2 class='quiet'>{told}</th></tr>")
    for where, mix in draws:
        parts.append(f"<tr><th>{escape(where)}</th><td>{_all_of(mix)}</td></tr>")
    return "".join(parts) + "</table>"


def _all_of(mix: Mix) -> str:
    """The likeliest few, and the rest together."""
    told = [(words, share) for words, share in mix if share >= RARE][:4] or mix[:1]
    others = mix[len(told) :]
    rest = 1.0 - sum(share for _, share in told)
    if rest >= RARE_TOGETHER:
        told = told + (others if len(others) == 1 else [("something else", rest)])
    return "<br>".join(f"{escape(words)} <b>{100 * share:.1f} %</b>" for words, share in told)
