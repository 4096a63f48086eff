"""A lesson from its Markdown: a head, an opening, and steps, each with prose and at most three blocks.

What stands above a step's blocks is read first; what stands below them appears once the step is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from solverlab.core.errors import LONGEST_TOLD, BadValue
from solverlab.ui.lessons.lines import Parsed, action, condition, keep, prediction
from solverlab.ui.lessons.prose import prose_html

LARGEST = 64_000  # bytes of a file
MOST_STEPS, MOST_LINES, LONGEST_TITLE = 40, 12, 80
BLOCKS = ("do", "check", "predict")
HEAD = ("lesson", "page", "minutes", "number")

Line = tuple[int, str]


def read_lesson(text: str | bytes, slug: str = "own") -> Parsed:
    """The lesson as plain values for the rail; whatever is wrong is one sentence with its line."""
    lines = list(enumerate(_decoded(text).splitlines(), 1))
    head, rest = _head(lines)
    opening, *sections = _sections(rest)
    if not sections:
        raise BadValue('the lesson has no steps; begin each with a line such as "## Press Step 1"')
    if len(sections) > MOST_STEPS:
        raise BadValue(f"the lesson has {len(sections)} steps; {MOST_STEPS} are the most, so cut it in two")
    first = _step(opening)
    if "predict" in first or "after" in first:
        raise BadValue(
            "the opening only prepares the page; move what follows its blocks below the first ## line"
        )
    steps = [_step(section) for section in sections]
    if "do" in steps[-1] or "predict" in steps[-1]:
        raise BadValue("the last step belongs to the learner; end with a step that only has words")
    prepared = {"start": first.get("do", []), "ready": first.get("check", [])}
    return {"slug": slug, **head, **prepared, "html": first["html"], "steps": steps}


def _decoded(text: str | bytes) -> str:
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if len(data) > LARGEST:
        raise BadValue(f"the lesson has {len(data):,} bytes; {LARGEST:,} are the most")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadValue("the file is no text; save the lesson as Markdown in UTF-8") from None


def _head(lines: Sequence[Line]) -> tuple[Parsed, Sequence[Line]]:
    """The words between the two lines of dashes."""
    marks = [place for place, (_, line) in enumerate(lines) if line.strip() == "---"]
    if len(marks) < 2 or marks[0] != 0:
        raise BadValue(
            "the lesson has no head; begin with ---, lesson: its title, page: solve, minutes: 5, ---"
        )
    words: dict[str, str] = {}
    for number, line in lines[1 : marks[1]]:
        name, colon, value = line.partition(":")
        if name.strip() not in HEAD or not colon:
            raise BadValue(f"line {number}: the head has no {line[:LONGEST_TOLD]!r}; write {', '.join(HEAD)}")
        words[name.strip()] = value.strip()
    return _told(words), lines[marks[1] + 1 :]


def _pages() -> list[str]:
    from solverlab.ui.shell import PAGES  # late: the shell offers lessons on every page

    return [entry.slug for entry in PAGES]


def _told(words: dict[str, str]) -> Parsed:
    title, page = words.get("lesson", ""), words.get("page", "")
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise BadValue(f"the title has {len(title)} letters; write lesson: with 1 to {LONGEST_TITLE} of them")
    if page not in _pages():
        raise BadValue(f"there is no page {page[:LONGEST_TOLD]!r}; choose one of {', '.join(_pages())}")
    numbers = {}
    for name, usual in (("minutes", "5"), ("number", "0")):
        said = words.get(name, usual)
        if not re.fullmatch(r"\d{1,2}", said):
            raise BadValue(f"{name} is {said[:LONGEST_TOLD]!r}; write a whole number below 100")
        numbers[name] = int(said)
    return {"title": title, "page": page, **numbers}


def _sections(lines: Sequence[Line]) -> list[list[Line]]:
    """The opening and the steps; a ## inside a block is no step."""
    found: list[list[Line]] = [[]]
    fenced = False
    for number, line in lines:
        if line.startswith("```"):
            fenced = not fenced
        if line.startswith("## ") and not fenced:
            found.append([])
        found[-1].append((number, line))
    return found


def _step(lines: Sequence[Line]) -> Parsed:
    title, made, prose = "", {}, ([], [])
    for kind, part in _parts(lines):
        if kind in BLOCKS:
            if kind in made:
                raise BadValue(f"line {part[0][0]}: a step has one {kind} block; put its lines together")
            made[kind] = part[1:]
        elif kind == "title":
            title = part[0][1][3:].strip()
        else:
            prose[bool(made)].extend(part)
    step: Parsed = {"html": _prose(prose[0])}
    if title:
        _checked_title(title, lines[0][0])
        step["title"] = title
    if prose[1] and any(line.strip() for _, line in prose[1]):
        step["after"] = _prose(prose[1])
    return step | _blocks(made, lines[0][0] if lines else 1)


def _checked_title(title: str, number: int) -> None:
    if len(title) > LONGEST_TITLE:
        raise BadValue(
            f"line {number}: the step's title has {len(title)} letters; {LONGEST_TITLE} are the most"
        )


def _parts(lines: Sequence[Line]) -> Iterator[tuple[str, list[Line]]]:
    """The title, the blocks with their opening lines, and the prose between them."""
    rest = list(lines)
    if rest and rest[0][1].startswith("## "):
        yield "title", [rest.pop(0)]
    while rest:
        number, line = rest[0]
        kind = line[3:].strip() if line.startswith("```") else ""
        if kind:
            if kind not in BLOCKS:
                raise BadValue(f"line {number}: there is no block {kind[:20]!r}; use {', '.join(BLOCKS)}")
            end = next((k for k, (_, one) in enumerate(rest) if k and one.strip() == "```"), 0)
            if not end:
                raise BadValue(f"line {number}: the {kind} block has no end; close it with ```")
            yield kind, rest[:end]
            rest = rest[end + 1 :]
        else:
            end = next((k for k, (_, one) in enumerate(rest) if k and re.match(r"```\w", one)), len(rest))
            yield "prose", rest[:end]
            rest = rest[end:]


def _prose(lines: Sequence[Line]) -> str:
    try:
        return prose_html("\n".join(line for _, line in lines))
    except BadValue as problem:
        raise BadValue(f"line {lines[0][0]} and below: {problem}") from None


def _blocks(made: dict[str, list[Line]], number: int) -> Parsed:
    """The blocks of a step, line by line."""
    if "do" in made and "check" not in made:
        raise BadValue(f"line {number}: the step does something but checks nothing; add a check block")
    step: Parsed = {}
    if "do" in made:
        step["do"] = [_lined(action, line) for line in _told_lines(made["do"])]
    if "check" in made:
        asked = _told_lines(made["check"])
        step["check"] = [_lined(condition, line) for line in asked if not line[1].startswith("keep ")]
        step["keep"] = [_lined(keep, line) for line in asked if line[1].startswith("keep ")]
    if "predict" in made:
        told = _told_lines(made["predict"])
        try:
            step["predict"] = prediction([line for _, line in told])
        except BadValue as problem:
            raise BadValue(f"line {told[0][0] if told else number} and below: {problem}") from None
    return step


def _told_lines(lines: Sequence[Line]) -> list[Line]:
    told = [(number, line.strip()) for number, line in lines if line.strip()]
    if len(told) > MOST_LINES:
        raise BadValue(f"line {told[0][0]}: a block has {len(told)} lines; {MOST_LINES} are the most")
    return told


def _lined(read: object, line: Line) -> Parsed:
    try:
        return read(line[1])  # type: ignore[operator]
    except BadValue as problem:
        raise BadValue(f"line {line[0]}: {problem}") from None
