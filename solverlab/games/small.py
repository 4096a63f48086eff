"""Rules in plain Python become a game: write what can follow a state and what it pays, inherit the rest.

A small game says who may act (`children`), what a finished state pays (`payoff`), and, if it deals cards,
which deals are likely (`deals`). A hidden move is one more method, `sees`: what the player to act knows about
the state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import permutations, product

import numpy as np

from solverlab.core.errors import BadValue, TooLarge
from solverlab.core.leaves import LeafTable, tabulated_cfv
from solverlab.core.names import Names
from solverlab.core.rows import Config, State
from solverlab.core.tree import CHANCE, Choice, Tree, grow, leaf_nodes
from solverlab.core.tying import Tying, tie_nodes, untied

SEATS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MOST_TABLE_BYTES = 2_000_000_000


class SmallGame:
    """The whole contract of a game from four short methods; `docs/adding-a-game.md` walks through one."""

    name: str = "small game"
    n_players: int = 2
    hands: tuple[str, ...] = ("",)

    tree: Tree
    names: Names
    tie: Tying
    leaves: LeafTable

    # ---- what a game writes --------------------------------------------------------------------------------

    def root(self) -> State:
        return ""

    def children(self, state: State) -> Choice | None:
        """Who moves and what can follow; None where the game ends."""
        raise BadValue(f"{type(self).__name__} does not say what follows a state; write children(state)")

    def payoff(self, state: State, *hands: str) -> tuple[float, ...]:
        """What each player wins in a finished state, in chips."""
        raise BadValue(f"{type(self).__name__} does not say what a state pays; write payoff(state, *hands)")

    def deals(self) -> dict[tuple[str, ...], float]:
        """Probability of each joint deal; by default everybody gets a different hand, all equally likely."""
        if len(self.hands) == 1:
            return {self.hands * self.n_players: 1.0}
        every = list(permutations(self.hands, self.n_players))
        return dict.fromkeys(every, 1.0 / len(every))

    def sees(self, state: State) -> Hashable:
        """What the player to act knows of a state (their hand apart). Write this only where moves are hidden.

        None, and that is what you get if you do not write it, says that nothing is hidden: players remember
        all that was said, whatever a state keeps of it.
        """
        return None

    def odds(self, state: State, *hands: str) -> dict[str, float]:
        """Chance's probability of what can follow, given the deal; by default what `children` says.

        A game whose public cards depend on the hands overrides this together with `deal_mass`.
        """
        choice = self.children(state)
        if choice is None or choice.probabilities is None:
            return {}
        return {label: p for label, p in zip(choice.following, choice.probabilities, strict=True) if p > 0}

    def config(self) -> Config:
        return {"game": type(self).__name__}

    # ---- what it inherits ----------------------------------------------------------------------------------

    def __init__(self) -> None:
        self.tree, self.states, labels = grow(self.root(), self._checked_children)
        self.names = Names(self.tree, tuple(labels), self.hands, SEATS[: self.n_players])
        self.tie = self._information()
        self.leaves = self._leaf_table()

    def _checked_children(self, state: State) -> Choice | None:
        choice = self.children(state)
        if choice is None:
            return None
        if not CHANCE <= choice.player < self.n_players:
            raise BadValue(
                f"player {choice.player} moves in state {state!r} of {self.name}; "
                f"players are 0 to {self.n_players - 1}, chance is {CHANCE}"
            )
        if choice.player == CHANCE and not choice.probabilities and type(self).odds is SmallGame.odds:
            raise BadValue(f"chance moves in state {state!r} of {self.name} without probabilities; give them")
        return choice

    def _information(self) -> Tying:
        """The game's own tie: nothing, unless the game says what its players see."""
        if type(self).sees is SmallGame.sees:
            return untied(self.tree, len(self.hands))
        seen: list[Hashable] = []
        for n, (state, player) in enumerate(zip(self.states, self.tree.player, strict=True)):
            told = self.sees(state) if player >= 0 else None
            seen.append(("seen", told) if told is not None else ("node", n))
        return tie_nodes(self.tree, seen, len(self.hands))

    def leaf_cfv(self, me: int, reach: np.ndarray) -> np.ndarray:
        return tabulated_cfv(me, self.leaves, reach)

    def deal_mass(self, node: int) -> np.ndarray:
        """Probability of each joint deal, float64[H] * P; chance's moves in a small game are independent."""
        index = {hand: h for h, hand in enumerate(self.hands)}
        mass = np.zeros((len(self.hands),) * self.n_players)
        for deal, probability in self.deals().items():
            if len(deal) != self.n_players or not index.keys() >= set(deal):
                raise BadValue(f"the deal {deal!r} of {self.name} is not one of its hands for each player")
            mass[tuple(index[hand] for hand in deal)] += probability
        if not (mass >= 0).all() or not np.isclose(mass.sum(), 1.0):
            raise BadValue(
                f"the deals of {self.name} sum to {mass.sum():g}; give probabilities that sum to 1"
            )
        return mass

    def _leaf_table(self) -> LeafTable:
        check_table_size(self.name, self.n_players, len(self.hands), kinds=1)
        mass = self.deal_mass(0)
        tensors = [self._payoff_tensor(self.states[n], mass) for n in leaf_nodes(self.tree)]
        return pack_leaves([(tensor.tobytes(), 1.0, tensor) for tensor in tensors])

    def _payoff_tensor(self, state: State, mass: np.ndarray) -> np.ndarray:
        """Payoff times probability of the deal, float64[P, H, ..., H]."""
        tensor = np.zeros((self.n_players, *mass.shape))
        for deal in product(range(len(self.hands)), repeat=self.n_players):
            if mass[deal] > 0:
                pays = self.payoff(state, *(self.hands[h] for h in deal))
                if np.shape(pays) != (self.n_players,) or not np.isfinite(pays).all():
                    raise BadValue(
                        f"the payoff of {self.name} in state {state!r} is {pays}; "
                        "payoffs must be one finite number for each player"
                    )
                for player, chips in enumerate(pays):
                    tensor[player][deal] = chips * mass[deal]
        return tensor

    def __repr__(self) -> str:
        return (
            f"{self.name}: {self.n_players} players, {len(self.tree.parent):,} nodes, {len(self.hands)} hands"
        )


def check_table_size(name: str, players: int, hands: int, kinds: int) -> None:
    """Refuse leaf tables that do not fit, before they are built."""
    size = 8 * players * kinds * hands**players
    if size > MOST_TABLE_BYTES:
        raise TooLarge(
            f"the leaf tables of {name} would take {size / 1e9:,.1f} GB ({hands:,} hands, {players} players, "
            f"{kinds:,} boards and outcomes); use fewer cards or players so that they stay below "
            f"{MOST_TABLE_BYTES / 1e9:.0f} GB"
        )


def pack_leaves(leaves: Sequence[tuple[Hashable, float, np.ndarray | Callable[[], np.ndarray]]]) -> LeafTable:
    """Store equal tensors [P, H, ..., H] once: a leaf is (key, scale, tensor or a function that makes it)."""
    kinds: dict[Hashable, int] = {}
    tensors: list[np.ndarray] = []
    kind = np.empty(len(leaves), np.int32)
    for leaf, (key, _, tensor) in enumerate(leaves):
        if key not in kinds:
            kinds[key] = len(tensors)
            tensors.append(_own_hand_last(tensor() if callable(tensor) else tensor))
        kind[leaf] = kinds[key]
    return LeafTable(np.stack(tensors, 1), kind, np.array([scale for _, scale, _ in leaves], np.float64))


def _own_hand_last(tensor: np.ndarray) -> np.ndarray:
    """[P, H, ..., H] to [P, J, H]: the others' hands in seat order, then each player's own."""
    players, hands = tensor.shape[0], tensor.shape[1]
    return np.stack([np.moveaxis(tensor[p], p, -1).reshape(-1, hands) for p in range(players)])
