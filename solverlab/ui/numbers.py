"""Numbers as people read them."""

from __future__ import annotations

import math

from solverlab.core.errors import BadValue


def number(x: float) -> str:
    """Four decimals where that says something, powers of ten elsewhere.

    >>> number(0.25), number(12345.678), number(0.0000123), number(0.0)
    ('0.2500', '12,346', '1.2e-05', '0')
    """
    if not math.isfinite(x):
        raise BadValue(f"a value of {x} cannot be shown; reset the run")
    if x == 0:
        return "0"
    if abs(x) >= 1000:
        return f"{x:,.0f}"
    return f"{x:.4f}" if abs(x) >= 0.00005 else f"{x:.1e}"


def signed(x: float, plus: bool = True) -> str:
    """A number with a real minus sign."""
    if x == 0:
        return "0"
    return f"−{number(-x)}" if x < 0 else f"+{number(x)}" if plus else number(x)
