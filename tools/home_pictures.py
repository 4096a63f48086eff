"""Make the pictures of Home anew: a small SVG a page, computed here, in colours that follow the theme.

Run it after the numbers or the colours have changed; a test makes the quick ones again and compares.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np

import solverlab as sl
from solverlab.abstraction import hand_strength
from solverlab.ui.home.page import PICTURES
from solverlab.ui.tokens import css
from solverlab.views.colours import steps
from solverlab.views.hand_grid import HANDS
from solverlab.views.pushfold_chart import jam_frame
from solverlab.views.theme import LIGHT, action_shades

WIDE, HIGH = 320, 180
ROUNDS = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200)


def svg(parts: Iterable[str]) -> str:
    """A picture of the size of a card, hidden from screen readers: the card's words say what it is."""
    return f'<svg viewBox="0 0 {WIDE} {HIGH}" aria-hidden="true">{"".join(parts)}</svg>\n'


def line(xs: Sequence[float], ys: Sequence[float], colour: str, width: float = 2.6) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    return f'<polyline points="{points}" fill="none" stroke="{css(colour)}" stroke-width="{width}"/>'


def box(x: float, y: float, wide: float, high: float, colour: str, round_by: float = 0) -> str:
    size = f'width="{wide:.1f}" height="{high:.1f}"' + (f' rx="{round_by}"' if round_by else "")
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{css(colour)}"/>'


def distances(schedule: str) -> list[float]:
    """Exploitability of the average strategy in Leduc hold'em after each of ROUNDS."""
    solver = sl.CFR(sl.Leduc(), schedule)
    found = []
    for done, rounds in pairwise((0, *ROUNDS)):
        found.append(sl.exploitability(solver.game, solver.step(rounds - done).policy))
    return found


def curves(left: float, top: float, wide: float, high: float) -> list[str]:
    """CFR, CFR+ and DCFR on one axis, both logarithmic."""
    runs = [distances(name) for name in ("CFR", "CFR+", "DCFR")]
    low, top_value = np.log(np.min(runs)), np.log(np.max(runs))
    xs = left + wide * np.log(ROUNDS) / np.log(ROUNDS[-1])
    return [
        line(xs, top + high * (top_value - np.log(run)) / (top_value - low), colour)
        for run, colour in zip(runs, LIGHT.runs, strict=False)
    ]


def solve() -> str:
    axes = line([28, 28, 300], [20, 158, 158], LIGHT.edge, 1.2)
    return svg([axes, *curves(30, 26, 262, 124)])


def push_fold() -> str:
    """Who goes all in from the small blind with 10 big blinds."""
    snap = sl.solve(sl.PushFold(10), "CFR+", until=sl.iterations(300))
    share = dict(zip(HANDS, jam_frame(snap, "")["probability"], strict=True))
    fold, jam = (shade.fill for shade in action_shades(["fold", "jam"]))
    side = 12.4
    left, top = (WIDE - 13 * side) / 2, (HIGH - 13 * side) / 2
    parts = []
    for place, hand in enumerate(HANDS):
        x, y = left + place % 13 * side, top + place // 13 * side
        parts.append(box(x, y, side - 1, side - 1, fold))
        if share[hand] > 0.005:
            parts.append(box(x, y, (side - 1) * share[hand], side - 1, jam))
    return svg(parts)


def grow() -> str:
    """Kuhn poker after some epochs of growth, as a player with the king plays it."""
    solver = sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1))
    snap = solver.step(60)
    tree, sigma = snap.tree, snap.current
    hand = snap.names.hands.index("K")
    chance = [float(sigma.sigma[node, hand]) if tree.player[up] >= 0 else 1.0 for node, up in _edges(tree)]
    return svg(_branches(tree, snap.names.actions, dict(zip(_nodes(tree), chance, strict=True))))


def _edges(tree: sl.core.tree.Tree) -> list[tuple[int, int]]:
    return [(node, int(up)) for node, up in enumerate(tree.parent) if up >= 0]


def _nodes(tree: sl.core.tree.Tree) -> list[int]:
    return [node for node, _ in _edges(tree)]


def _walk(tree: sl.core.tree.Tree, node: int) -> list[int]:
    """A node and all below it, one branch after the other."""
    below = [child for child, up in _edges(tree) if up == node]
    return [node, *(one for child in below for one in _walk(tree, child))]


def _branches(tree: sl.core.tree.Tree, names: Sequence[str], chance: dict[int, float]) -> list[str]:
    depth, reach = [0] * len(tree.parent), [1.0] * len(tree.parent)
    for node, up in _edges(tree):
        depth[node], reach[node] = depth[up] + 1, reach[up] * chance[node]
    ends = [node for node in _walk(tree, 0) if node not in tree.parent]
    height = {node: 24 + (HIGH - 48) * place / max(1, len(ends) - 1) for place, node in enumerate(ends)}
    for node in reversed(range(len(tree.parent))):
        below = [height[child] for child, up in _edges(tree) if up == node]
        height.setdefault(node, sum(below) / max(1, len(below)))
    x = [36 + 248 * d / max(depth) for d in depth]
    parts = []
    for node, up in _edges(tree):
        [shade] = action_shades([names[node]])
        middle = (x[up] + x[node]) / 2
        way = f"M{x[up]:.0f} {height[up]:.0f}C{middle:.0f} {height[up]:.0f} {middle:.0f} {height[node]:.0f} "
        parts.append(
            f'<path d="{way}{x[node]:.0f} {height[node]:.0f}" fill="none" stroke="{css(shade.line)}" '
            f'stroke-width="{1.2 + 6 * reach[node]:.1f}"/>'
        )
    for node in range(len(tree.parent)):
        player = int(tree.player[node])
        colour = LIGHT.players[player] if player >= 0 else LIGHT.chance
        parts.append(f'<circle cx="{x[node]:.0f}" cy="{height[node]:.0f}" r="6" fill="{css(colour)}"/>')
    return parts


def abstraction() -> str:
    """All 169 kinds of starting hands by E[HS] and E[HS²], paler to stronger."""
    hands = hand_strength("preflop")
    ehs, ehs2 = np.asarray(hands.ehs), np.asarray(hands.ehs2)
    x = 30 + 260 * (ehs - ehs.min()) / np.ptp(ehs)
    y = 158 - 136 * (ehs2 - ehs2.min()) / np.ptp(ehs2)
    rank = np.argsort(np.argsort(ehs)) * 6 // len(ehs)
    return svg(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.4" fill="{css(LIGHT.scale[min(4, max(1, k))])}"/>'
        if k < 5
        else f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.4" fill="{css(LIGHT.runs[1])}"/>'
        for a, b, k in zip(x, y, rank, strict=True)
    )


def two_to_seven() -> str:
    """One card each, 3 big blinds: which cards go in, and which call, from the deuce to the ace."""
    game = sl.LowballPushFold(stack=3)
    policy = sl.solve_lp(game).policy
    fold, go, call = (shade.fill for shade in action_shades(["fold", "all-in", "call"]))
    parts = []
    for row, (node, colour) in enumerate((("", go), ("all-in", call))):
        for place, hand in enumerate(game.hands):
            x, y, share = 24 + place * 21, 28 + row * 66, policy.at(node, hand=hand)["all-in"]
            parts += [box(x, y, 18, 40, fold), box(x, y + 40 * (1 - share), 18, 40 * share, colour)]
            if row == 0:
                parts.append(_word(x + 9, 88, str(hand)))
    return svg(parts)


def _word(x: float, y: float, text: str) -> str:
    ink = css(LIGHT.muted)
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="13" fill="{ink}">{text}</text>'


def figures() -> str:
    """What figures are made of: curves, how strong a hand becomes, and E[HS] as a heat map."""
    cards = [box(x, 44, 84, 92, LIGHT.paper, 6) for x in (24, 118, 212)]
    counts = np.asarray(hand_strength("AhKh", "Td9d6h").histogram(8), float)
    bars = [
        box(128 + k * 8.2, 126 - 70 * c / counts.max(), 7, 70 * c / counts.max(), LIGHT.scale[3])
        for k, c in enumerate(counts)
    ]
    strength = np.asarray(hand_strength("preflop").ehs)[:64]
    level = ((strength - strength.min()) / np.ptp(strength) * 4).round().astype(int)
    heat = [
        box(220 + k % 8 * 8.6, 54 + k // 8 * 9, 8, 8.4, steps(LIGHT.scale, 5)[v]) for k, v in enumerate(level)
    ]
    return svg([*cards, *curves(32, 56, 68, 66), *bars, *heat])


MADE: dict[str, Callable[[], str]] = {
    "solve": solve, "push-fold": push_fold, "grow": grow, "abstraction": abstraction,
    "two-to-seven": two_to_seven, "figures": figures,
}  # fmt: skip


def main(names: list[str]) -> int:
    PICTURES.mkdir(exist_ok=True)
    for name in names or MADE:
        path = PICTURES / f"{name}.svg"
        path.write_text(MADE[name](), "utf-8")
        print(path, path.stat().st_size, "bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
