"""Colours can be read and told apart, in both sets, and stand in one file."""

from __future__ import annotations

import ast
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import solverlab
from solverlab.views.colours import contrast, linear, luminance
from solverlab.views.theme import DARK, LIGHT, Shade, action_fills, shares_palette

BOTH = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
ROOM = Path(solverlab.__file__).parent
# The cones of people who see no red, no green, no blue (Machado, Oliveira & Fernandes 2009, severity 1).
EYES = {
    "red": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "green": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
    "blue": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


@BOTH
def test_words_and_lines_stand_out(palette):
    """WCAG 2: 4.5 to 1 for words, 3 to 1 for lines, marks and the borders of controls."""
    for ground in (palette.paper, palette.ground, palette.sunken):
        assert min(contrast(words, ground) for words in (palette.ink, palette.muted)) >= 4.5
    pairs = [(getattr(palette, name), getattr(palette, f"{name}_soft")) for name in ("warn", "bad", "good")]
    pairs += [
        (palette.accent, palette.on_accent),
        (palette.link, palette.paper),
        (palette.ink, palette.chosen),
    ]
    pairs += [(shade.fill, shade.on) for shade in palette if isinstance(shade, Shade)]
    pairs += [(shade.line, palette.paper) for shade in palette if isinstance(shade, Shade)]
    pairs += [(colour, palette.on_player) for colour in palette.players]
    pairs += [(suit, palette.card) for suit in palette.suits]
    assert min(contrast(*pair) for pair in pairs) >= 4.5
    marks = (*palette.players, *palette.runs, palette.chance, palette.edge, palette.focus)
    assert min(contrast(mark, palette.paper) for mark in marks) >= 3
    assert contrast(palette.ink, palette.halo) >= 3


def test_a_fold_is_the_palest_and_stronger_is_darker():
    passive = action_fills(["fold", "check", "call"])
    active = action_fills(["bet 33%", "bet 75%", "bet 150%", "all-in"])
    for family in (passive, active, shares_palette(9)):
        light = [luminance(colour) for colour in family]
        assert light == sorted(light, reverse=True)
    assert luminance(passive[0]) == max(luminance(colour) for colour in passive + active)


def lab(colour: str, eyes: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of a colour as these eyes see it."""
    x, y, z = np.cbrt(XYZ @ (eyes @ linear(colour)).clip(1e-3, 1) / np.sum(XYZ, axis=1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@BOTH
def test_all_eyes_tell_actions_apart(palette):
    """A distance of 2.3 is just noticed (CIE 1976); areas side by side want ten times as much, nearly."""
    actions = [shade.fill for shade in palette if isinstance(shade, Shade)]
    for eyes in (np.eye(3), *map(np.array, EYES.values())):
        pairs = combinations([lab(colour, eyes) for colour in actions], 2)
        assert min(np.linalg.norm(one - other) for one, other in pairs) > 20


def test_colours_stand_in_one_file():
    """A colour in a second place is a colour that a theme forgets."""
    for path in ROOM.rglob("*.py"):
        found = [
            node.value
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.search(r"#[0-9a-fA-F]{6}\b", re.sub(r"(?s)>>>.*", "", node.value))
        ]
        assert not found or path.name in ("theme.py", "colours.py"), (path, found)
