"""A word in the help of an option that stands for one of some names, so that a shell can offer them."""

from __future__ import annotations

from collections.abc import Iterable


class OneOf(str):
    """The word shown for a value, and the names it may be; other values may be allowed too.

    >>> game = OneOf("GAME", ["kuhn", "leduc"])
    >>> game, game.names
    ('GAME', ('kuhn', 'leduc'))
    """

    names: tuple[str, ...]

    def __new__(cls, word: str, names: Iterable[str]) -> OneOf:
        made = super().__new__(cls, word)
        made.names = tuple(names)
        return made
