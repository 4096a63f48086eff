"""The settings of the Push/fold page: players, stack, what the grids show, and a hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from solverlab.cards.hand_classes import class_number
from solverlab.cards.ranges import Range
from solverlab.core.errors import LONGEST_TOLD, BadValue, UnknownName
from solverlab.studies.exploit_caller import class_weights
from solverlab.ui.settings import Settings, one_of, setting
from solverlab.ui.stack_words import read_stack

VIEWS = {"At this stack": "stack", "EV": "ev", "Chart by stack": "chart"}
LONGEST_RANGE = 600  # characters
NODES = {  # players: the decisions, and what they are called in the menu
    2: {"": "small blind: jam or fold", "jam": "big blind: call a jam"},
    3: {
        "": "button: jam or fold",
        "fold": "small blind: button folded",
        "jam": "small blind: button jammed",
        "fold/jam": "big blind: small blind jammed",
        "jam/fold": "big blind: button jammed",
        "jam/call": "big blind: both are in",
    },
}
SHOWN_FIRST = {2: ("", "jam"), 3: ("", "jam/fold")}  # left and right grid


def read_hand(word: str) -> str:
    """A starting hand, however its letters are written; nothing for none.

    >>> read_hand("ako"), read_hand("k9S"), read_hand("tt"), read_hand("")
    ('AKo', 'K9s', 'TT', '')
    """
    text = word.strip()[:20]
    hand = text[:2].upper() + text[2:].lower()
    if hand:
        class_number(hand)
    return hand


def read_caller(word: str) -> str:
    """A caller's range, its spaces in order; nothing for the equilibrium.

    >>> read_caller("88+,AJs+ "), read_caller("")
    ('88+, AJs+', '')
    """
    text = ", ".join(part.strip() for part in word.split(",")).strip(" ,")
    if len(text) > LONGEST_RANGE:
        raise BadValue(f"a range of {len(text)} characters is too long; write it with spans such as A2s+")
    class_weights(Range(text))
    return text


def _read_players(word: str) -> int:
    if word not in ("2", "3"):
        raise BadValue(f"push/fold is played by 2 or 3 players, not {word[:LONGEST_TOLD]!r}")
    return int(word)


def _read_node(word: str, so_far: PushFoldSettings) -> str:
    known = NODES[so_far.players]
    if word not in known:
        raise UnknownName("decision", word[:LONGEST_TOLD], [node or "(start)" for node in known])
    return word


def _nodes(settings: PushFoldSettings) -> dict[str, str]:
    return {words: node for node, words in NODES[settings.players].items()}


def _two(settings: PushFoldSettings) -> bool:
    return settings.players == 2


def _three(settings: PushFoldSettings) -> bool:
    return settings.players == 3


@dataclass(frozen=True)
class PushFoldSettings(Settings):
    """Everything a link restores; the field names are the words in the address.

    >>> PushFoldSettings.from_query({"stack": "7.5", "hand": "43s"})[0].query()
    'players=2&stack=7.5&hand=43s'
    """

    players: int = setting(
        2, _read_players, "Players", options={"Heads-up": 2, "Three players": 3}, buttons=True, always=True
    )
    stack: float = setting(
        10.0,
        read_stack,
        "Stack in big blinds",
        "Blind included, the same for everybody; 1.01 to 100. Press Enter.",
        look={"placeholder": "e.g. 7.5"},
        always=True,
    )
    show: str = setting("stack", one_of("view", tuple(VIEWS.values())), "View", options=VIEWS, buttons=True)
    left: str = setting(
        "", _read_node, "Left grid", "Whose decision, after what.", options=_nodes, shown=_three, depends=True
    )
    right: str = setting(
        "jam",
        _read_node,
        "Right grid",
        "Whose decision, after what.",
        options=_nodes,
        shown=_three,
        depends=True,
    )
    hand: str = setting(
        "",
        read_hand,
        "Hand",
        "The hand whose curve is drawn; empty for all hands together. Press Enter.",
        look={"placeholder": "e.g. 43s"},
    )
    caller: str = setting(
        "",
        read_caller,
        "If the big blind calls only with",
        "A range such as 88+, AJs+, KQo:0.5; empty for the equilibrium. Press Enter.",
        look={"placeholder": "e.g. 88+, AJs+"},
        shown=_two,
    )

    def with_players(self, players: int) -> PushFoldSettings:
        """The same stack and hand for another number of players, with the grids that suit them."""
        left, right = SHOWN_FIRST[players]
        return replace(self, players=players, left=left, right=right, caller="")

    def follow(self, name: str) -> PushFoldSettings:
        """Other players, other grids; and an answer to a caller is read off the grids of a stack."""
        if name == "caller" and self.caller and self.show == "chart":
            return replace(self, show="stack")
        return self.with_players(self.players) if name == "players" else self

    def usual(self) -> PushFoldSettings:
        return PushFoldSettings().with_players(self.players)

    @property
    def nodes(self) -> tuple[str, str]:
        return self.left, self.right
