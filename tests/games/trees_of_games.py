"""Configurations of every game that bets, and their trees as rows of text: what must not change unnoticed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from games.plain_holdem import Holdem

import solverlab as sl
from solverlab.games.betting.states import first_state, following, state_text
from solverlab.games.lowball.real_betting import BettingLowball
from tests.games.some_limit_games import SOME

MOST_ROWS = 4000
LOWBALL = {"cards": 1, "ranks": 5, "per_rank": 2}


def limit(**rules: Any) -> Callable[[], Iterator[str]]:
    return lambda: tree_rows(sl.LimitPoker(**rules))


def lowball(**rules: Any) -> Callable[[], Iterator[str]]:
    return lambda: tree_rows(sl.Lowball(**{**LOWBALL, **rules}))


def real(**rules: Any) -> Callable[[], Iterator[str]]:
    return lambda: draw_rows(BettingLowball(cards=1, ranks=5, per_rank=4, suits=False, **rules).root)


def holdem(**rules: Any) -> Callable[[], Iterator[str]]:
    return lambda: public_rows(Holdem(**rules))


CONFIGURATIONS: dict[str, Callable[[], Iterator[str]]] = {
    **{f"limit poker, {name}": limit(**rules) for name, rules in SOME.items()},
    "limit poker, three short stacks": limit(
        players=3, ranks="TJQKA", raise_sizes=(2,), max_raises=(3,), stack=4,
    ),
    "limit poker, three rounds as in the ACPC": limit(
        ranks="TJQKA", board_cards=(0, 1, 1), raise_sizes=(2, 2, 4), max_raises=(3, 2, 1), blinds=(1, 2),
        first_to_act=(0, 1, 1),
    ),
    "limit poker, all in before the board": limit(
        players=3, ranks="TJQKA", board_cards=(0, 1), raise_sizes=(2, 2), max_raises=(2, 2), stack=3,
    ),
    "Kuhn for three": lambda: tree_rows(sl.Kuhn(players=3)),
    "Kuhn for four": lambda: tree_rows(sl.Kuhn(players=4)),
    "push/fold for two": lambda: tree_rows(sl.PushFold(stack=10)),
    "push/fold for three": lambda: tree_rows(sl.PushFold(stack=7.5, players=3)),
    "2-to-7, push/fold": lowball(stack=3),
    "2-to-7, limps": lowball(stack=4, limp=True),
    "2-to-7, raises": lowball(stack=20, limp=True, raises=(2, 3, 6)),
    "2-to-7, raises and free discards": lowball(stack=9, cards=2, ranks=4, raises=(2.5, 5), discard="free"),
    "2-to-7, bets after the draw": lowball(stack=6, limp=True, after_draw=(0.5, 1)),
    "2-to-7, all of it": lowball(stack=8, limp=True, raises=(3,), after_draw=(0.5, 1, 2)),
    "real 2-to-7, push/fold": real(stack=3),
    "real 2-to-7, limp and bets": real(stack=4, limp=True, bets=(1.0,)),
    "real 2-to-7, raises and bets": real(stack=10, limp=True, raises=(2, 3), bets=(0.5, 1, 3)),
    "hold'em for two": holdem(players=2, stack=100),
    "hold'em for two, sizes": holdem(players=2, stack=30, bets=(0.33, 0.75, 1.5), max_raises=3),
    "hold'em for two, limit": holdem(players=2, stack=100, betting="limit"),
    "hold'em for three, limit": holdem(players=3, stack=9, betting="limit"),
    "hold'em for three, no all-in": holdem(players=3, stack=20, bets=(0.5, 1.0), allin=False),
    "hold'em for six": holdem(players=6, stack=100),
    "hold'em for six, all-in alone": holdem(players=6, stack=12, bets=()),
    "hold'em for nine": holdem(players=9, stack=20, max_raises=2),
    "hold'em, other blinds": holdem(players=3, stack=40, blinds=(0, 2)),
    "hold'em, two unequal stacks": holdem(players=2, stack=(5.0, 20.0)),
    "hold'em, three unequal stacks": holdem(players=3, stack=(4.0, 9.0, 7.0), max_raises=3),
    "hold'em, four short stacks": holdem(players=4, stack=(2.0, 3.0, 1.4, 2.6), bets=()),
    "hold'em, a short big blind": holdem(players=3, stack=(10.0, 0.6, 10.0)),
}  # fmt: skip


def tree_rows(game: Any) -> Iterator[str]:
    """A line a node: parent, what was done, who acts, and what everybody has put in."""
    for n, (parent, player) in enumerate(zip(game.tree.parent, game.tree.player, strict=True)):
        paid = game.paid_at(n) if hasattr(game, "paid_at") else game.states[n].paid
        yield f"{parent} {game.names.actions[n]} {player} {' '.join(f'{chips:.9g}' for chips in paid)}"


def public_rows(game: Any) -> Iterator[str]:
    """The first states of a hold'em table in the order of a walk by breadth: parent, action, state."""
    todo, n = deque([(-1, "", first_state(game.rules.row))]), 0
    while todo and n < MOST_ROWS:
        parent, label, state = todo.popleft()
        yield f"{parent} {label} {state_text(state)}"
        todo += [(n, done, after) for done, after in following(game.rules.row, state).items()]
        n += 1


def draw_rows(node: Any, path: str = "") -> Iterator[str]:
    """The betting of a draw game, depth first: who acts, draws, and what ends pay."""
    following = getattr(node, "following", None)
    if following is not None:
        yield f"{path} acts {node.player}"
        for label, after in following.items():
            yield from draw_rows(after, f"{path}/{label}")
    elif hasattr(node, "after"):
        yield f"{path} draws"
        yield from draw_rows(node.after, f"{path}/draw")
    else:
        yield f"{path} {'pays' if hasattr(node, 'amount') else 'shows'} {node[0]:.9g}"


def summary(rows: Iterator[str]) -> dict[str, Any]:
    """How many lines, the first three decisions to read, and a digest of all."""
    lines = list(rows)
    return {"rows": len(lines), "first": lines[:3], "digest": sha256("\n".join(lines).encode()).hexdigest()}
