"""The long evidence: full-length solves, statistics of sampling, killed processes, written to proof/*.json.

This room stands on top of the house: it may import everything and nothing but the command line imports it.
Start reading at `registry.py`, where a proof joins by one line; each proof is one function `prove(quick)` in
one file, and the tests run the same functions at quick sizes.
"""

from solverlab.proof.command import main
from solverlab.proof.registry import PROOFS, prove
from solverlab.proof.verdict import Claim, Verdict

__all__ = ["PROOFS", "Claim", "Verdict", "main", "prove"]
