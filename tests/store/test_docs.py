"""The page about runs prints what really happens."""

from __future__ import annotations

import doctest


def test_the_printed_lines_run(root):
    failed, tried = doctest.testfile(str(root / "docs" / "store.md"), module_relative=False)
    assert (failed, tried > 10) == (0, True)
