"""CFR over boards: `cfr.py` solves what keeps `core.boards.game.BoardGame`, such as postflop spots."""
