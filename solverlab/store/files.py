"""Files that are there whole or not at all, whoever kills the process: written aside, synced, renamed."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from solverlab.core.errors import BadValue

PART = ".part"


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place in one step: a reader sees the old content or the new, never half of it."""
    draft = path.with_name(path.name + PART)
    write_through(draft, content)
    os.replace(draft, path)
    sync_folder(path.parent)


@dataclass(frozen=True, eq=False)
class ArrayFile:
    """An array as a .npy file that is never whole in memory: its header, and the array's own bytes.

    >>> from io import BytesIO
    >>> file, numbers = BytesIO(), np.arange(6.0).reshape(2, 3)
    >>> np.save(file, numbers)
    >>> b"".join(array_file(numbers).parts()) == file.getvalue(), len(array_file(numbers))
    (True, 176)
    """

    header: bytes
    array: np.ndarray

    def parts(self) -> Iterator[bytes | memoryview]:
        """The file piece by piece."""
        yield self.header
        yield self.array.reshape(-1).view(np.uint8).data

    def __len__(self) -> int:
        return len(self.header) + self.array.nbytes


Content = bytes | ArrayFile


def array_file(array: np.ndarray) -> ArrayFile:
    """An array as a file; what is not in order in memory is put in order first."""
    array = array if array.flags.c_contiguous else np.ascontiguousarray(array)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(array))
    return ArrayFile(header.getvalue(), array)


def parts_of_content(content: Content) -> Iterator[bytes | memoryview]:
    """The bytes of a file, piece by piece."""
    if isinstance(content, ArrayFile):
        yield from content.parts()
    else:
        yield content


def write_through(path: Path, content: Content) -> None:
    """Write a file and wait until the disk has it."""
    with path.open("wb") as file:
        for part in parts_of_content(content):
            file.write(part)
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


def checksum(content: Content) -> str:
    """SHA-256 as hexadecimal text."""
    digest = hashlib.sha256()
    for part in parts_of_content(content):
        digest.update(part)
    return digest.hexdigest()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the file's lock and hold it; it is given up with the process, also by kill -9."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        _lock(file)
        yield


def _lock(file: BinaryIO) -> None:
    if sys.platform != "win32":
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
