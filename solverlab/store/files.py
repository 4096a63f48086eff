"""Files that are there whole or not at all, whoever kills the process: written aside, synced, renamed."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from solverlab.core.errors import BadValue

PART = ".part"


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place in one step: a reader sees the old content or the new, never half of it."""
    draft = path.with_name(path.name + PART)
    write_through(draft, content)
    os.replace(draft, path)
    sync_folder(path.parent)


def write_through(path: Path, content: bytes) -> None:
    """Write a file and wait until the disk has it."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the disk knows the names in a folder (Windows has no such call and needs none)."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove(path: Path) -> None:
    """Remove a file or a folder; a link is removed, never followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def checksum(content: bytes) -> str:
    """SHA-256 as hexadecimal text."""
    return hashlib.sha256(content).hexdigest()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the file's lock and hold it; it is given up with the process, also by kill -9."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        _lock(file)
        yield


def _lock(file: BinaryIO) -> None:
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
    else:
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)


@contextmanager
def telling(
    deed: str, mend: str = "make room or permissions there, or choose another place"
) -> Iterator[None]:
    """Turn what the system refuses (no space, no permission, no such file) into one sentence."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise BadValue(f"could not {deed}: {reason}; {mend}") from None
