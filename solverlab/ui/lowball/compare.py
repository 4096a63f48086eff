"""A result file of the original project beside the truth: what it claims, and what its policy is worth."""

from __future__ import annotations

import tempfile
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.policy import Policy
from solverlab.games.lowball.keys import infosets
from solverlab.run import below, iterations, solve
from solverlab.store.lowball_results import LowballResult, read_lowball_results

MOST_BYTES = 20_000_000
MOST_SHOWN = 12
TARGET = 1e-6


class Difference(NamedTuple):
    """An information set where the file and our solution part, the most weighty first."""

    key: str
    file: str
    ours: str
    apart: float  # largest difference of a probability
    reach: float  # how often the file's player comes here with the hand


class Comparison(NamedTuple):
    """A file, measured, and where it differs from our solution of the same game."""

    name: str
    result: LowballResult
    value: float  # of the game, by our solution
    gap: float  # NashConv of our solution
    differences: list[Difference]


def compare(content: bytes, name: str) -> Comparison:
    """Read an uploaded file, measure it exactly, and solve the same game for comparison."""
    if len(content) > MOST_BYTES:
        raise BadValue(f"{name[:60]} has {len(content) / 1e6:.0f} MB; a result file has at most 20 MB")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (Path(name).name[-80:] or "file.json")
        path.write_bytes(content)
        result = read_lowball_results(path)
    snap = solve(result.game, "PCFR+", below("exploitability", TARGET) | iterations(20_000))
    parts = differences(result, snap.policy)
    return Comparison(Path(name).name, result, snap.value, 2 * snap.exploitability, parts)


def differences(result: LowballResult, ours: Policy) -> list[Difference]:
    """Where the file parts from a policy, by difference times how often the file's player is there."""
    game, tree = result.game, result.game.tree
    reach = [result.policy.reach(player) for player in range(2)]
    found = []
    for key, (node, hand) in infosets(game).items():
        children = np.arange(tree.first[node], tree.first[node] + tree.count[node])
        theirs, mine = result.policy.sigma[children, hand], ours.sigma[children, hand]
        own = float(reach[int(tree.player[node])][node, hand])
        words = [game.names.actions[child] for child in children]
        apart = float(np.abs(theirs - mine).max())
        found.append(Difference(key, _told(words, theirs), _told(words, mine), apart, own))
    return sorted(found, key=lambda part: -part.apart * part.reach)[:MOST_SHOWN]


def _told(words: list[str], shares: np.ndarray) -> str:
    parts = [f"{word} {share:.3f}" for word, share in zip(words, shares, strict=True) if share >= 5e-4]
    return ", ".join(parts)


def comparison_html(found: Comparison) -> str:
    """What the file claims, what is true, and where it differs most."""
    result = found.result
    claimed = result.claimed_distance
    rows = [
        ("game", escape(result.game.name), ""),
        ("value to the button", f"{result.claimed_value:.5f}", f"{result.value:.5f}"),
        ("distance from equilibrium", _number(claimed), f"{result.nash_conv:.6f}"),
        ("value of the game", "", f"{found.value:.5f}"),
    ]
    style = "<style>.apart td, .apart th, .file td, .file th { text-align: left; }</style>"
    head = "<tr><th></th><th>the file says</th><th>measured here</th></tr>"
    body = "".join(f"<tr><th>{a}</th><td>{b}</td><td>{c}</td></tr>" for a, b, c in rows)
    note = (
        "<p>Measured here: NashConv, both players' exact best responses to the file's strategy. The file's "
        "own number is its <b>nash_distance</b>, twice the mean positive regret of the button's first "
        "decision: it sees one decision of one player and bounds nothing.</p>"
    )
    parts = "".join(
        f"<tr><th>{escape(d.key)}</th><td>{escape(d.file)}</td><td>{escape(d.ours)}</td>"
        f"<td>{d.apart:.3f}</td><td>{d.reach:.3f}</td></tr>"
        for d in found.differences
    )
    apart = "<tr><th>infoset</th><th>the file</th><th>solved here</th><th>apart</th><th>reach</th></tr>"
    return (
        f"{style}<h2>{escape(found.name)}</h2>"
        f"<table class='file'><thead>{head}</thead><tbody>{body}</tbody></table>"
        f"{note}<h2>Where it differs most <small>(weighed by how often the file's player gets there; the "
        f"solution here has NashConv {found.gap:.1g}; equilibria need not be unique)</small></h2>"
        f"<table class='apart'><thead>{apart}</thead><tbody>{parts}</tbody></table>"
    )


def _number(value: float | None) -> str:
    return "nothing" if value is None else f"{value:.6f}"
