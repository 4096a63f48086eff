"""The longer commands of the program, each in a file of its own: what they understand and what they print.

May import run, store, solvers, games and below; nobody but `cli.py` imports it. Start reading at `solve.py`,
then `lowball.py` for the game that has options of its own.
"""

from solverlab.commands.solve import add_solve_options, game_of, run_solve

__all__ = ["add_solve_options", "game_of", "run_solve"]
