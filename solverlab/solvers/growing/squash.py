"""Functions that squeeze any number into (-1, 1), for the update ``p *= 1 + squash(ev / scale)``.

The document proposes tanh and says that any similar function would do: here are six. What an update needs is
the *factor* 1 + squash(x). It is written so that it does not cancel: with x = -30 the number 1 + tanh(x)
rounds to 0 in floating point and the action would be dead for ever; 2 / (1 + exp(60)) is a small number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solverlab.core.errors import UnknownName

SATURATED = 0.99  # beyond this a squash hardly tells two numbers apart

Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Squash:
    """A squashing function and its factor 1 + function, each from arrays to arrays.

    >>> x = np.array([-1.0, 0.0, 1.0])
    >>> SQUASHES["tanh"].factor(x).round(4).tolist()
    [0.2384, 1.0, 1.7616]
    """

    name: str
    function: Function
    factor: Function


def _logistic_factor(x: np.ndarray) -> np.ndarray:
    """2 / (1 + exp(-x)); exp may overflow to infinity, and then the factor is rightly 0."""
    with np.errstate(over="ignore"):
        return 2.0 / (1.0 + np.exp(-x))


def _ratio_factor(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, 1.0, 1.0 + 2.0 * np.abs(x)) / (1.0 + np.abs(x))


def _arctan_factor(x: np.ndarray) -> np.ndarray:
    """For x < 0 the angle is measured from the other side, where it is small."""
    return np.arctan2(1.0, -x) * (2.0 / np.pi)


def _erf(x: np.ndarray) -> np.ndarray:
    from scipy.special import erf

    return erf(x)


def _erf_factor(x: np.ndarray) -> np.ndarray:
    from scipy.special import erfc

    return erfc(-x)


TANH = Squash("tanh", np.tanh, lambda x: _logistic_factor(2.0 * x))
RATIO = Squash("x/(1+|x|)", lambda x: x / (1.0 + np.abs(x)), _ratio_factor)
ARCTAN = Squash("arctan", lambda x: np.arctan(x) * (2.0 / np.pi), _arctan_factor)
ERF = Squash("erf", _erf, _erf_factor)
LOGISTIC = Squash("logistic", lambda x: np.tanh(0.5 * x), _logistic_factor)  # 2 s(x) - 1
CLIPPED = Squash("clipped linear", lambda x: np.clip(x, -1.0, 1.0), lambda x: np.clip(1.0 + x, 0.0, 2.0))

SQUASHES = {row.name: row for row in (TANH, RATIO, ARCTAN, ERF, LOGISTIC, CLIPPED)}


def squash_named(squash: str | Squash) -> Squash:
    """A squash by name; a Squash of your own is passed through.

    >>> squash_named("arctan").function(np.array([1.0])).tolist()
    [0.5]
    """
    if isinstance(squash, Squash):
        return squash
    if not isinstance(squash, str) or squash not in SQUASHES:
        raise UnknownName("squash", squash, SQUASHES)
    return SQUASHES[squash]
