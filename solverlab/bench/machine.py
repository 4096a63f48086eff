"""Where and with what it was measured: processor, load, versions, date."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

PACKAGES = (
    "solverlab",
    "numpy",
    "numba",
    "llvmlite",
    "scipy",
    "open_spiel",
    "LiteEFG",
    "eval7",
    "phevaluator",
    "scikit-learn",
)


def describe() -> dict[str, object]:
    """The machine and the moment as plain JSON values."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "load": load(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
    }


def cpu_model() -> str:
    """The processor's own name where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def load() -> float | None:
    """Busy cores during the last minute; None where the system does not count them."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
