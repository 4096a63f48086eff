"""What is proved: a proof is a file with a function `prove(quick) -> Verdict`, and joins by one line here."""

from __future__ import annotations

from importlib import import_module

from solverlab.core.errors import UnknownName
from solverlab.proof.verdict import Verdict

PROOFS = {
    "family": "solverlab.proof.family",
    "sampling": "solverlab.proof.sampling",
    "kill": "solverlab.proof.kill",
    "three-player": "solverlab.proof.three_player",
    "lowball": "solverlab.proof.lowball",
    "lowball-real": "solverlab.proof.lowball_real",
    "lowball-betting": "solverlab.proof.lowball_betting",
    "forest": "solverlab.proof.forest",
    "crn": "solverlab.proof.crn",
    "cold": "solverlab.proof.cold",
    "soak": "solverlab.proof.soak",
    "grow": "solverlab.proof.grow",
    "all-in": "solverlab.proof.all_in",
    "strength": "solverlab.proof.strength",
    "scatter": "solverlab.proof.scatter",
    "betting": "solverlab.proof.betting",
}


def prove(name: str, quick: bool = False) -> Verdict:
    """Run one proof, at full length or at the size of a test."""
    if name not in PROOFS:
        raise UnknownName("proof", name, PROOFS)
    return import_module(PROOFS[name]).prove(quick)


def title(name: str) -> str:
    """The sentence a proof's file opens with."""
    return (import_module(PROOFS[name]).__doc__ or name).splitlines()[0]
