"""The line of numbers above the 2-to-7 charts: the value, and how far from equilibrium it is."""

from __future__ import annotations

from solverlab.core.rows import Metrics
from solverlab.ui.lowball.settings import LowballSettings
from solverlab.ui.numbers import number, signed


def score_html(choice: LowballSettings, iteration: int, metrics: Metrics) -> str:
    """Iteration, value to the button, and NashConv: exact, or a bracket with its words."""
    items = [f"stack<b>{choice.stack:g}</b>", f"iteration<b>{iteration:,}</b>"]
    if "exploitability" in metrics:
        items += _exact(metrics)
    elif "upper" in metrics:
        items += _bracket(metrics)
    return f"<div class='score'>{''.join(f'<div>{item}</div>' for item in items)}</div>"


def _exact(metrics: Metrics) -> list[str]:
    gap = metrics["exploitability"]
    items = [
        f"value to the button<b>{signed(metrics['value'])}</b>",
        f"NashConv<b>{number(2 * gap)}</b> <small>exact</small>",
    ]
    if "regret_proxy" in metrics:
        items.append(f"<small>regret proxy</small><b>{number(metrics['regret_proxy'])}</b>")
    return items


def _bracket(metrics: Metrics) -> list[str]:
    error = 3 * metrics["value_error"]
    return [
        f"value to the button<b>{signed(metrics['value'])}</b> <small>± {error:.4f}</small>",
        f"NashConv<b>{metrics['lower']:.4f}</b> to<b>{metrics['upper']:.4f}</b> "
        f"<small>{metrics['deals']:,} deals</small>",
    ]
