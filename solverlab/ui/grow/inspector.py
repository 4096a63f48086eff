"""A node under the microscope, the log of growth and a sweep in slow motion, as pieces of HTML."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import groupby

from solverlab.run.growing.rows import ActionRow, DealRow, Grew, Inspection
from solverlab.ui.grow.colours import colours_of
from solverlab.ui.look import ACCENT, INK, LINE, MUTED
from solverlab.ui.tokens import css
from solverlab.views.theme import LIGHT

KIND_WORDS = {
    "action": "own decision",
    "passive": "an opponent acts",
    "deal": "cards come",
    "end": "the hand is over",
}
LEAF_WORDS = {
    "showdown": "here the cards are shown",
    "rollout": "from here play goes on as now",
    "random play": "from here play goes on at random",
    "solved": "worth what the solved game says",
    "given": "worth what a function of one's own says",
}
UP, DOWN = LIGHT.gains, LIGHT.loses  # told apart by colour-blind eyes, and by the arrows
STEPS = {"leaves": "Leaves", "back-up": "Back-up", "update": "Update"}
MOST_DEALS = 200  # lines of a table; all of them would be slow to draw
NOTHING = (
    "<h2>Node</h2><p class='quiet'>Click a node of the tree to see its numbers: "
    "how likely it is, what each action is worth, and how the last update moved it.</p>"
)
STYLE = f"""<style>
.grow-facts {{ display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 3px 0 6px; }}
.grow-facts b {{ font-variant-numeric: tabular-nums; }}
.grow-facts div {{ white-space: nowrap; }}
.grow-actions th:first-child {{ width: 7em; }}
.grow-actions th, .grow-actions td {{ padding: 2px 4px; }}
.grow-actions thead th {{ white-space: normal; vertical-align: bottom; }}
.grow-swatch {{ display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; margin-right: 4px; }}
.grow-steps {{ display: flex; align-items: center; gap: 6px; flex-wrap: wrap; margin-bottom: 4px; }}
.grow-step {{ border: 2px solid {css(LINE)}; border-radius: 16px; padding: 3px 13px; color: {css(MUTED)}; }}
.grow-step.active {{ background: {css(ACCENT)}; border-color: {css(ACCENT)};
  color: {css(LIGHT.on_accent)}; font-weight: 600; }}
.grow-step.done {{ border-color: {css(ACCENT)}; color: {css(ACCENT)}; }}
.grow-epoch {{ margin: 5px 0 1px; }}
.grow-log {{ margin: 0; padding-left: 18px; }}
.grow-log li {{ margin-bottom: 2px; }}
</style>"""


def inspection_html(
    seen: Inspection | None,
    unit: str,
    squash: str = "tanh",
    scale: float = 1.0,
    exact: bool | None = None,
    leaf: str = "showdown",
    hands: int = 1,
) -> str:
    """Who is where with what, how likely that is, and the last update of its actions, step by step.

    Drawn as one, so many `hands` come here and the likeliest is told.
    Without `exact` a node on which no deals are counted is taken for one whose EVs are exact.

    >>> leaf = Inspection("button", "AA", "raise / call", "leaf", 0.25, 0.5, 1.5, 0.1, 40, (), "waits")
    >>> html = inspection_html(leaf, "big blinds")
    >>> "AA" in html and "+1.500 ± 0.1" in html and "40 deals" in html
    True
    """
    if seen is None:
        return NOTHING
    where = escape(seen.path.replace(" / ", " › "))
    exact = not seen.deals if exact is None else exact
    told = "exact" if exact else f"from {seen.deals:,} deals" if seen.deals else _no_deals(seen)
    error = 0.0 if exact else seen.error
    facts = (
        ("reach", likely(seen.reach), "all choices and cards on the way here"),
        ("without own choices", likely(seen.others), "what others and the cards contribute"),
        ("EV", f"{worth(seen.ev, error)} {escape(unit)}", "given that play comes here"),
        ("", told, "all deals counted, or sampled ones"),
    )
    line = "".join(f"<div title='{why}'>{name} <b>{what}</b></div>" for name, what, why in facts)
    kind = f"a leaf: {LEAF_WORDS[leaf]}" if seen.kind == "leaf" else KIND_WORDS.get(seen.kind, seen.kind)
    table = _update(seen.actions, squash, scale) if seen.actions else ""
    one = f", the likeliest of {hands:,} hands here," if hands > 1 else ""
    return (
        f"{STYLE}<h2>{escape(seen.seat)} with {escape(seen.hand)}<small>{one} at "
        f"<b>{where}</b>: {escape(kind)}</small></h2><div class='grow-facts'>{line}</div>{table}"
        f"<p class='quiet' style='margin-top: 6px'><b>Growth:</b> {escape(seen.grown)}</p>"
    )


def deals_html(deals: Sequence[DealRow], hand: str, unit: str, most: int = MOST_DEALS) -> str:
    """How likely every sampled deal comes to a node, and what the hand then wins: the likeliest first.

    >>> two = [DealRow(("72o", "KK"), 0.25, -1.0), DealRow(("AKs", "QQ"), 0.5, 3.0)]
    >>> html = deals_html(two, "AA", "big blinds")
    >>> html.index("AKs, QQ") < html.index("72o, KK"), "0.3750 on average" in html
    (True, True)
    """
    if not deals:
        return "<p class='quiet'>No deal of the last sweep comes here; rebalance, and look again.</p>"
    mean = sum(deal.reach for deal in deals) / len(deals)
    ordered = sorted(deals, key=lambda deal: -deal.reach)
    rows = "".join(
        f"<tr><th>{escape(', '.join(deal.others))}</th><td>{number(deal.reach)}</td>"
        f"<td>{signed(deal.worth)}</td></tr>"
        for deal in ordered[:most]
    )
    left = f"<p class='quiet'>{len(deals) - most:,} less likely deals are not shown.</p>"
    return (
        f"<h2>Reach of each deal <small>{len(deals):,} deals, {number(mean)} on average</small></h2>"
        f"<table class='microscope grow-deals'><thead><tr><th>held against {escape(hand)}</th><th>reach</th>"
        f"<th>wins ({escape(unit)})</th></tr></thead><tbody>{rows}</tbody></table>"
        f"{left if len(deals) > most else ''}"
    )


def _no_deals(seen: Inspection) -> str:
    return "from the epoch before" if seen.others > 0 else "no deal comes here yet"


def _update(actions: Sequence[ActionRow], squash: str, scale: float) -> str:
    """A row a step of the update, a column an action."""
    name = escape(squash)
    known = [row for row in actions if math.isfinite(row.ev)]
    plain = all(math.isclose(row.squeezed, row.ev / scale, rel_tol=1e-6, abs_tol=1e-9) for row in known)
    squeezed = f"EV ÷ {scale:g}" if plain else "what is squeezed"
    words = "" if plain else f"EV as compared, ÷ {scale:g}"
    rows = (
        ("", "p before", "", [number(row.before) for row in actions]),
        ("1", "EV", "if it is played", [_two_lines(row) for row in actions]),
        ("2", squeezed, words, [signed(row.squeezed) for row in actions]),
        ("3", name, "", [signed(row.squashed) for row in actions]),
        ("4", f"1 + {name}", "multiplies p", [_factor(row.squashed) for row in actions]),
        ("5", "p after", "sums to 1", [_after(row.before, row.after) for row in actions]),
    )
    heads = "".join(
        f"<th><span class='grow-swatch' style='background: {css(colour)}'></span>{_unbroken(row.action)}</th>"
        for row, colour in zip(actions, colours_of([row.action for row in actions]), strict=True)
    )
    body = "".join(_row(*row) for row in rows)
    wide = f"min-width: {7.4 + 4.4 * len(actions):.1f}em"  # many actions are scrolled to, not squeezed
    return (
        f"<table class='microscope grow-actions' style='{wide}'><thead><tr><th></th>{heads}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def _row(mark: str, name: str, words: str, cells: list[str]) -> str:
    chip = f"<i>{mark}</i>" if mark else ""
    small = f"<small>{words}</small>" if words else ""
    body = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr><th>{chip}<span style='white-space: nowrap'>{name}</span>{small}</th>{body}</tr>"


def _unbroken(action: str) -> str:
    return escape(action).replace("-", "&#8209;")  # all-in stays in one piece


def _two_lines(row: ActionRow) -> str:
    error = f"<small>± {row.error:.2g}</small>" if row.error > 0 else ""
    return f"{signed(row.ev)}{'<br>' * bool(error)}{error}"


def _factor(squashed: float) -> str:
    factor = 1.0 + squashed
    return "≈ 0" if factor < 1e-12 else number(factor)


def _after(before: float, after: float) -> str:
    if math.isclose(before, after, rel_tol=1e-9):
        return f"<b>{number(after)}</b> <span style='color: {css(MUTED)}'>=</span>"
    arrow, colour = ("▲", UP) if after > before else ("▼", DOWN)
    return f"<b style='color: {css(colour)}'>{arrow}{number(after)}</b>"


def number(x: float) -> str:
    """Four decimals where that says something, powers of ten elsewhere, a dash for what is unknown.

    >>> number(0.25), number(0.0000123), number(0.0), number(math.nan)
    ('0.2500', '1.2e-05', '0', '–')
    """
    if not math.isfinite(x):
        return "–"
    if x == 0 or abs(x) >= 0.00005:
        return f"{x:.4f}" if 0 < abs(x) < 1000 else f"{x:,.0f}"
    return f"{x:.1e}"


def signed(x: float) -> str:
    """A number with its sign, a real minus, to three decimals.

    >>> signed(-0.5), signed(2.0), signed(0.0)
    ('−0.500', '+2.000', '0')
    """
    size = abs(x)
    return f"{'+' if x > 0 else '−' if x < 0 else ''}{f'{size:.3f}' if 0.01 <= size < 1000 else number(size)}"


def worth(ev: float, error: float) -> str:
    """An EV with its standard error; exact ones have none.

    >>> worth(1.5, 0.0), worth(-1.5, 0.25)
    ('+1.500', '−1.500 ± 0.25')
    """
    return signed(ev) if error == 0 or not math.isfinite(ev) else f"{signed(ev)} ± {error:.2g}"


def likely(p: float) -> str:
    """A probability, and where it is small how seldom that is.

    >>> likely(0.5), likely(0.004)
    ('0.5000', '0.0040 (1 in 250)')
    """
    return f"{number(p)} (1 in {1 / p:,.0f})" if 0 < p < 0.05 else number(p)


def log_html(lines: Sequence[Grew], most: int = 200) -> str:
    """What grew, the newest first.

    >>> html = log_html([Grew(1, "button", "AA", "raise", "first"), Grew(2, "blind", "KK", "call", "last")])
    >>> html.index("KK") < html.index("AA")
    True
    """
    head = f"<h2>Log of growth <small>{len(lines):,} expansions, the newest first</small></h2>"
    if not lines:
        return f"{head}<p class='quiet'>Nothing has grown yet. The trees grow when an epoch ends.</p>"
    newest = list(lines)[: -most - 1 : -1]
    counts = Counter(one.epoch for one in lines)
    parts = [
        f"<p class='grow-epoch'><b>Epoch {epoch}</b> <small>{counts[epoch]:,} grew</small></p>"
        f"<ul class='grow-log'>{''.join(_line(one) for one in few)}</ul>"
        for epoch, few in groupby(newest, lambda one: one.epoch)
    ]
    more = len(lines) - most
    older = f"<p class='quiet'>{more:,} older lines are not shown.</p>" if more > 0 else ""
    return f"{STYLE}{head}{''.join(parts)}{older}"


def _line(one: Grew) -> str:
    where = escape(one.path.replace(" / ", " › "))
    return (
        f"<li><b>{escape(one.hand)}</b> {escape(one.seat)} at <b>{where}</b> "
        f"<small>{escape(one.reason)}</small></li>"
    )


def phase_html(name: str, sentence: str) -> str:
    """A sweep in slow motion: its three steps as chips, the one in progress filled.

    >>> phase_html("update", "All at once.").count("grow-step done")
    2
    """
    order = list(STEPS)
    here = order.index(name) if name in STEPS else -1
    state = ["active" if k == here else "done" if k < here else "" for k in range(len(order))]
    chips = f"<span style='color: {css(INK)}'>→</span>".join(
        f"<span class='grow-step {mark}'{' aria-current=step' * (mark == 'active')}>{k + 1} {words}</span>"
        for k, (mark, words) in enumerate(zip(state, STEPS.values(), strict=True))
    )
    return f"{STYLE}<div class='grow-steps'>{chips}</div><p>{escape(sentence)}</p>"
