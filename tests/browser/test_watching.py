"""The guard of the browser tests itself: it can fail."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser


def test_a_request_to_another_machine_fails_and_is_noticed(server, visitor):
    elsewhere = "http:" + "//elsewhere.example/script.js"
    page = visitor.tab(640, 480)
    page.goto(f"{server.address}/liveness")
    answer = page.evaluate("(address) => fetch(address).then(() => 'answered', () => 'failed')", elsewhere)
    page.close()
    assert answer == "failed"
    noticed, visitor.outside = visitor.outside, []
    assert noticed == [elsewhere]
