"""The proof of the 2-to-7 ladder at the size of a test."""

from __future__ import annotations

import json

from solverlab.proof import prove


def test_the_ladder_holds():
    verdict = prove("lowball", quick=True)
    assert [claim for claim in verdict.claims if not claim.holds] == []
    assert len(verdict.claims) >= 10
    crossings = {row["deck"]: row["crossing"] for row in verdict.numbers["crossings"]}
    assert 3.93 < crossings["13 ranks"] < 3.95 and 3.88 < crossings["12 ranks without the ten"] < 3.90
    json.dumps(verdict.record(), allow_nan=False)
