"""How fast are we, and compared with whom: `solverlab bench` measures solverlab beside its peers in one run.

This room stands on top of the house: it may import everything and nothing imports it; peers are optional and
imported only when measured. Start reading at `suites` (what is measured), then `contestants` (who takes part)
and `clock` (how).
"""

from solverlab.bench.command import main

__all__ = ["main"]
