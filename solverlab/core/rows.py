"""Names for what is mixed by nature: rows of tables, configurations, measured numbers, settings passed on."""

from collections.abc import Mapping
from typing import Any

# One row: names of columns to numbers, words, None or small tuples of those. Values are as mixed as the
# columns of a table are; whoever reads a column knows its type.
Row = dict[str, Any]

# A configuration: names of settings to JSON values, as `config()` of a game or solver tells them, as files
# keep them and as builders (`from_config`, `from_state`) take them back. Whoever takes one checks its values.
Config = dict[str, Any]

# What was measured, by name, to be read only: mostly numbers, some of them one for each player.
Metrics = Mapping[str, Any]

# One setting on its way, as in `**settings`: passed on by name to whoever knows its type and checks it.
Setting = Any

# Where play stands, in words that only the game itself reads.
State = Any
