"""Betting as rows: seats, stacks, blinds, streets and menus in; public states, trees, graphs and counts out.

Start reading at `table.py` (a row), then `states.py` (what follows what); `docs/betting.md` lists every game.
"""
