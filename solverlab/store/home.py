"""Where things are kept: runs in the user's data folder, tables in the cache, or all in SOLVERLAB_HOME."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

import platformdirs

from solverlab.core.errors import BadValue

MOST_NAME = 80
_NAME = re.compile(r"\w(?:[\w +.-]*[\w+-])?")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # files Windows cannot have


def home() -> Path:
    """The folder of everything worth keeping: SOLVERLAB_HOME if set, else the user's data folder."""
    return _chosen() or Path(platformdirs.user_data_dir("solverlab", appauthor=False))


def cache_folder() -> Path:
    """The folder of what can be computed again: SOLVERLAB_HOME if set, else the user's cache folder."""
    return _chosen() or Path(platformdirs.user_cache_dir("solverlab"))


def runs_folder() -> Path:
    """The folder that holds one folder a run."""
    return home() / "runs"


def run_folder(name: str) -> Path:
    """The folder of one run; the name is checked, so it can never lead outside."""
    return runs_folder() / checked_name(name)


def lock_path(name: str) -> Path:
    """The file that is locked while a run is written; it stays, so that two writers always meet."""
    return runs_folder() / ".locks" / checked_name(name)


def checked_name(name: str) -> str:
    """A run's name if it can be a folder everywhere, or one sentence why not.

    >>> checked_name("leduc CFR+ 2")
    'leduc CFR+ 2'
    """
    text = unicodedata.normalize("NFC", name) if isinstance(name, str) else ""
    if not _NAME.fullmatch(text) or ".." in text or _DEVICES.fullmatch(text) or len(text) > MOST_NAME:
        raise BadValue(
            f"{name!r} cannot be the name of a run; use up to {MOST_NAME} letters, digits, spaces and "
            "_ . + -, beginning with a letter or digit"
        )
    return text


def _chosen() -> Path | None:
    folder = os.environ.get("SOLVERLAB_HOME")
    return Path(folder).expanduser().absolute() if folder else None
