"""A run as one file: a .zip to hand in, to send or to keep, and back into the runs of somebody else.

What comes in may be a stranger's: sizes, names, checksums and the fit to the game are checked before a byte
is written.
"""

from __future__ import annotations

import io
import os
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

from solverlab.core.errors import BadValue, DamagedRun, TooLarge
from solverlab.core.game import Game
from solverlab.run import Trace
from solverlab.store import manifest as manifests
from solverlab.store.files import Content, locked, parts_of_content, telling, write_whole
from solverlab.store.home import checked_name, lock_path, run_folder
from solverlab.store.manifest import MANIFEST, Manifest
from solverlab.store.packing import pack_state
from solverlab.store.run_folders import (
    ELSEWHERE,
    compose,
    existing_folder,
    manifest_before,
    opened,
    parts_of,
    read_run,
    write_run,
)
from solverlab.store.saved import SavedRun

MOST_BYTES = 2_000_000_000


def export(name: str, path: str | os.PathLike[str] = ".") -> Path:
    """Write a run as a .zip file (into a folder: under its own name); returns the file."""
    manifest, contents = read_run(existing_folder(name), name)
    target = Path(path).expanduser()
    target = target / f"{name}.zip" if target.is_dir() else target
    if target.suffix.lower() != ".zip" or not target.parent.is_dir():
        raise BadValue(
            f"cannot export to {str(path)!r}; give a folder that exists, or a file name ending in .zip"
        )
    with telling(f"write {target.name!r}"):
        write_whole(target, _zip(manifest, contents))
    return target


def to_zip(run: object, name: str, trace: Trace | None = None) -> bytes:
    """What `export` would write for a run that was never saved: nothing touches the disk."""
    solver, trace = parts_of(run, trace)
    about = manifests.describe(solver, checked_name(name))
    arrays, about["tie"] = pack_state(solver)
    return _zip(*compose(about, arrays, trace or Trace(), str(about["iteration"])))


def _zip(manifest: Manifest, contents: Mapping[str, Content]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, manifests.to_bytes(manifest))
        for member, content in contents.items():
            entry = zipfile.ZipInfo(member, time.localtime()[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            with archive.open(entry, "w", force_zip64=len(content) > MOST_BYTES) as file:
                for part in parts_of_content(content):
                    file.write(part)
    return buffer.getvalue()


def import_run(
    path: str | os.PathLike[str],
    name: str | None = None,
    game: Game | None = None,
    most_bytes: int = MOST_BYTES,
) -> SavedRun:
    """Bring an exported run into the store, under its own name or another one, and open it."""
    manifest, contents = read_archive(Path(path).expanduser(), most_bytes)
    name = checked_name(manifest["name"] if name is None else name)
    saved = opened({**manifest, "name": name}, contents, name, game)
    saved.solver()  # refuse now what could not go on later
    arrays = {Path(member).stem: content for member, content in contents.items() if "/" in member}
    with telling(f"import the run {name!r}", ELSEWHERE), locked(lock_path(name)):
        if manifest_before(run_folder(name), name) is not None:
            raise BadValue(
                f"there already is a run {name!r}; import it under another name, or delete that one first"
            )
        write_run(run_folder(name), saved.manifest, arrays, saved.trace)
    return saved


def read_archive(path: Path, most_bytes: int) -> tuple[Manifest, dict[str, bytes]]:
    """Manifest and verified files of an exported run."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
            if sum(sizes.values()) > most_bytes or len(sizes) != len(archive.infolist()):
                raise TooLarge(
                    f"{path.name} would unpack to {sum(sizes.values()):,} bytes, more than {most_bytes:,}; "
                    "give import_run a larger most_bytes if you trust it"
                )
            manifest = manifests.from_bytes(_member(archive, MANIFEST, sizes), path.name)
            if set(sizes) != {MANIFEST, *manifest["files"]}:
                raise DamagedRun(f"{path.name} holds other files than a run's; export the run again")
            return manifest, manifests.verified(
                manifest, lambda member: _member(archive, member, sizes), path.name
            )
    except (OSError, KeyError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise DamagedRun(
            f"{str(path)!r} cannot be read as an exported run ({error}); give the .zip file that export wrote"
        ) from None


def _member(archive: zipfile.ZipFile, member: str, sizes: dict[str, int]) -> bytes:
    """One file of the archive, never more of it than it announced."""
    with archive.open(member) as file:
        return file.read(sizes[member] + 1)
