"""What a server pays once: on the event loop the first visitor would wait for it, and all others, too."""

from __future__ import annotations

import importlib
import threading

from solverlab.ui.grow.runner import GrowWork
from solverlab.ui.grow.settings import GrowSettings
from solverlab.ui.worker import MEMORY_CAP


def warm_up() -> None:
    """Import what the first table of a page asks for, and compile what the first trees of Grow do."""
    importlib.import_module("pandas")
    GrowWork(GrowSettings().growing(), MEMORY_CAP // 4).look(False, "")


def warm_up_beside() -> threading.Thread:
    """The same in a thread: the server answers at once."""
    thread = threading.Thread(target=warm_up, name="warm-up", daemon=True)
    thread.start()
    return thread
