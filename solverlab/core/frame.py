"""The one door to pandas for the rooms of mathematics; pandas is imported when somebody asks for a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solverlab.core.rows import Metrics

if TYPE_CHECKING:
    import pandas as pd


def frame(columns: Metrics) -> pd.DataFrame:
    """A pandas table of named columns."""
    import pandas as pd

    return pd.DataFrame(dict(columns))
