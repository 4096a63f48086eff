"""A handful of limit pokers, each with something the others lack."""

LEDUC = {"suits": 2, "board_cards": (0, 1), "raise_sizes": (2, 4), "max_raises": (2, 2)}

SOME = {
    "Kuhn": {},
    "Leduc": LEDUC,
    "three players": {"players": 3, "ranks": "TJQK", "max_raises": (2,)},
    "blinds": {"suits": 2, "blinds": (1, 2), "raise_sizes": (2,), "max_raises": (2,)},
    "three players with blinds": {
        "players": 3,
        "suits": 2,
        "blinds": (1, 2, 0),
        "raise_sizes": (2, 2),
        "max_raises": (1, 1),
        "board_cards": (0, 1),
        "first_to_act": (2, 0),
    },
    "two hole cards": {"ranks": "TJQK", "suits": 2, "hole_cards": 2},
    "two board cards": {"suits": 3, "board_cards": (0, 2), "raise_sizes": (1, 2), "max_raises": (1, 1)},
    "five cards in all": {"ranks": 5, "suits": 2, "hole_cards": 2, "board_cards": (3,), "max_raises": (0,)},
    "three rounds": {"suits": 2, "board_cards": (0, 1, 1), "raise_sizes": (1, 1, 2), "max_raises": (1, 1, 1)},
    "a round without cards": {"board_cards": (0, 0), "raise_sizes": (1, 1), "max_raises": (1, 1)},
    "board first": {"suits": 2, "board_cards": (1,)},
    "short stacks": {**LEDUC, "blinds": (1, 2), "stack": 5},
}
