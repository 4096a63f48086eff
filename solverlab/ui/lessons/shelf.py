"""The lessons that are shipped: `solverlab/lessons/<page>/<name>.md`, read once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from solverlab.core.errors import UnknownName
from solverlab.ui.lessons.lines import Parsed
from solverlab.ui.lessons.read import read_lesson

FOLDER = Path(__file__).parents[2] / "lessons"


@cache
def shipped() -> dict[str, Parsed]:
    """Every lesson by its name, those of a page together and in order."""
    made = [read_lesson(path.read_bytes(), path.stem) for path in sorted(FOLDER.glob("*/*.md"))]
    return {str(one["slug"]): one for one in sorted(made, key=lambda one: (one["page"], one["number"]))}


def lessons_of(page: str) -> list[Parsed]:
    """The lessons of a page."""
    return [one for one in shipped().values() if one["page"] == page]


def lesson_named(slug: str) -> Parsed:
    """One lesson; an unknown name is told."""
    if slug not in shipped():
        raise UnknownName("lesson", slug[:40], shipped())
    return shipped()[slug]


def index() -> dict[str, dict[str, object]]:
    """Where each lesson is and what it is called."""
    return {slug: {"page": one["page"], "title": one["title"]} for slug, one in shipped().items()}
