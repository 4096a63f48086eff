"""Games as Gambit extensive-form files (.efg), which Gambit and OpenSpiel read.

The game is written out deal by deal: the root deals, then play follows. Infosets carry the hand and what was
said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from solverlab.core.abilities import DealtMassGame
from solverlab.core.errors import BadValue
from solverlab.core.game import TabulatedGame
from solverlab.core.history import History, unroll

_LARGEST_DENOMINATOR = 1_000_000
_LARGEST_ERROR = 1e-12


def write_efg(game: TabulatedGame) -> str:
    """The whole game as the text of an .efg file.

    >>> import solverlab as sl
    >>> print("\\n".join(write_efg(sl.MatchingPennies()).splitlines()[:4]))
    EFG 2 R "matching pennies" { "first" "second" }
    p "" 1 1 "start" { "heads" "tails" } 0
    p "heads" 2 1 "heads or tails" { "heads" "tails" } 0
    t "heads/heads" 1 "" { 1 -1 }
    """
    if not isinstance(game, DealtMassGame):
        raise BadValue(
            f"{game.name} cannot be written out deal by deal, so it has no EFG file; use a smaller game"
        )
    players = " ".join(_quoted(player) for player in game.names.players)
    lines = [f"EFG 2 R {_quoted(game.name)} {{ {players} }}", *_Writer(game).lines()]
    return "\n".join([*lines, ""])


class _Writer:
    """Numbers infosets and outcomes in the order of the file: each node before what follows it."""

    def __init__(self, game: TabulatedGame):
        self.game, self.history = game, unroll(game)
        self.titles = _infoset_titles(game, self.history)
        self.infosets: list[dict[int, int]] = [{} for _ in range(game.n_players)]  # row -> number
        self.chances = self.outcomes = 0

    def lines(self) -> Iterator[str]:
        tree = self.history.tree
        open_nodes = [0 if tree.count[0] > 1 else 1]  # nothing to tell of a deal that is always the same
        while open_nodes:
            m = open_nodes.pop()
            children = range(tree.first[m], tree.first[m] + tree.count[m])
            player = int(tree.player[m])
            if tree.leaf[m] >= 0:
                yield self._outcome(m)
            elif player >= 0:
                yield self._decision(m, player, children)
            else:
                yield self._chance(m, children)
            open_nodes += reversed(children)

    def _outcome(self, m: int) -> str:
        self.outcomes += 1
        pays = self.history.payoff[self.history.tree.leaf[m]]
        return f't {self._title(m)} {self.outcomes} "" {{ {" ".join(_number(pay) for pay in pays)} }}'

    def _decision(self, m: int, player: int, children: Sequence[int]) -> str:
        row = int(self.history.row[children[0]])
        number = self.infosets[player].setdefault(row, len(self.infosets[player]) + 1)
        actions = " ".join(_quoted(self._action(child)) for child in children)
        return f"p {self._title(m)} {player + 1} {number} {_quoted(self.titles[row])} {{ {actions} }} 0"

    def _chance(self, m: int, children: range) -> str:
        self.chances += 1
        odds = exact_odds(self.history.tree.chance[children.start : children.stop])
        told = " ".join(
            f"{_quoted(self._action(child))} {chance}" for child, chance in zip(children, odds, strict=True)
        )
        return f"c {self._title(m)} {self.chances} {_quoted('' if m else 'deal')} {{ {told} }} 0"

    def _action(self, m: int) -> str:
        """What leads to a node: a deal at the root, else the label of the public tree."""
        if self.history.tree.parent[m] > 0:
            return self.game.names.actions[self.history.public[m]]
        return self._hands(m)

    def _title(self, m: int) -> str:
        """The deal and what was said, as in 'J Q/check': Gambit refuses a label that stands twice."""
        if not m:
            return _quoted("")
        told = (self._hands(m), self.game.names.path(self.history.public[m]))
        return _quoted("/".join(part for part in told if part))

    def _hands(self, m: int) -> str:
        hands = [self.game.names.hands[hand] for hand in self.history.deals[self.history.deal[m]]]
        return " ".join(hands).strip()


def _infoset_titles(game: TabulatedGame, history: History) -> dict[int, str]:
    """For each infoset (the row of its first action) its hand and histories, as in 'K: check/raise'."""
    tree = history.tree
    paths: dict[int, tuple[str, dict[str, None]]] = {}
    for m in np.flatnonzero(tree.player >= 0):
        row, path = int(history.row[tree.first[m]]), game.names.path(history.public[m]) or "start"
        hand = game.names.hands[history.deals[history.deal[m], tree.player[m]]]
        paths.setdefault(row, (hand, {}))[1][path] = None
    return {row: (f"{hand}: " if hand else "") + " or ".join(said) for row, (hand, said) in paths.items()}


def exact_odds(odds: np.ndarray) -> list[Fraction]:
    """Chance's probabilities as fractions that sum to exactly 1, as Gambit demands.

    >>> [str(odd) for odd in exact_odds(np.array([1 / 3, 1 / 6, 1 / 2]))]
    ['1/3', '1/6', '1/2']
    """
    fractions = [Fraction(float(odd)).limit_denominator(_LARGEST_DENOMINATOR) for odd in odds]
    if sum(fractions) != 1 or any(
        abs(fraction - Fraction(float(odd))) > _LARGEST_ERROR
        for fraction, odd in zip(fractions, odds, strict=True)
    ):
        fractions = [Fraction(float(odd)) for odd in odds]
        fractions[-1] = 1 - sum(fractions[:-1], Fraction(0))
    return fractions


def _number(value: float) -> str:
    """A payoff as short as it can be told: 1 instead of 0.9999999999999999."""
    fraction = Fraction(float(value)).limit_denominator(_LARGEST_DENOMINATOR)
    return (
        str(fraction)
        if abs(float(fraction) - value) <= _LARGEST_ERROR * max(1.0, abs(value))
        else repr(value)
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
