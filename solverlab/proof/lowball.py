"""The 2-to-7 ladder is solved exactly: one to three cards, every deck, with limps, raises and later bets."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from solverlab.core.rows import Row
from solverlab.analysis import deviation_gains, solve_lp
from solverlab.games import Lowball, LowballPushFold
from solverlab.proof.verdict import Claim, Verdict
from solverlab.run import below, iterations, solve
from solverlab.studies import lowball_root, lowball_variants

NO_TEN = "23456789JQKA"
DECKS = {"13 ranks": 13, "12 ranks without the ten": NO_TEN}
STACKS = (1.5, 2.0, 2.5, 3.0, 3.5, 3.9, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
NEAR = 1e-3
CERTIFIED = 1e-5
AFTER_DRAW = 1e-4


def prove(quick: bool = False) -> Verdict:
    """Values against the referee, crossings, two best responses for three cards, and what bets add."""
    claims: list[Claim] = []
    numbers: Row = {
        "one card": _one_card(claims, quick),
        "crossings": _crossings(claims, quick),
        "two cards": _two_cards(claims, quick),
        "three cards": _three_cards(claims, quick),
        "what bets add": _bets(claims, quick),
        "two cards with bets after the draw": _after(claims, quick),
    }
    return Verdict(claims, numbers)


def _one_card(claims: list[Claim], quick: bool) -> list[Row]:
    rows = []
    for deck, ranks in DECKS.items():
        for stack in STACKS[:: 6 if quick else 1]:
            game = LowballPushFold(stack, ranks=ranks)
            rows.append({"deck": deck, **_beside_referee(game, 1e-8, 200_000)})
        off = max(row["off"] for row in rows if row["deck"] == deck)
        claims.append(Claim(f"one card, {deck}: largest distance from the referee's value", off, 1e-8))
    return rows


def _two_cards(claims: list[Claim], quick: bool) -> list[Row]:
    rows = []
    for per_rank in (1,) if quick else (1, 2, 3, 4):
        for rule in ("original", "free"):
            game = LowballPushFold(3, 2, per_rank, discard=rule)
            rows.append({"per_rank": per_rank, "discard": rule, **_beside_referee(game, 1e-6, 20_000)})
            claims.append(
                Claim(
                    f"two cards, {per_rank} a rank, {rule} discards: distance from the referee's value",
                    rows[-1]["off"],
                    1e-6,
                )
            )
    return rows


def _beside_referee(game: Any, target: float, most: int) -> Row:
    snap = solve(game, "PCFR+", until=below("exploitability", target / 2) | iterations(most))
    exact = solve_lp(game).value
    found = {"value": snap.value, "referee": exact, "off": abs(snap.value - exact)}
    clock = {"iterations": snap.iteration, "exploitability": snap.exploitability}
    return {"stack": game.stack, **found, **clock}


def _crossings(claims: list[Claim], quick: bool) -> list[Row]:
    """The stack where the button's value changes sign, for the document's deck and the whole one."""
    rows = []
    ladder: list[tuple[str, Row]] = [(deck, {"ranks": ranks}) for deck, ranks in DECKS.items()]
    if not quick:
        ladder += [(f"13 ranks x {n}", {"per_rank": n}) for n in (2, 3, 4)]
        ladder += [(f"2 cards, 13 ranks x {n}", {"cards": 2, "per_rank": n}) for n in (1, 4)]
    for name, rules in ladder:
        root = lowball_root(2.0, 20.0, **rules)
        sides = [solve_lp(Lowball(root + side, **rules)).value for side in (-NEAR, NEAR)]
        rows.append({"deck": name, "crossing": root, "value just below": sides[0], "just above": sides[1]})
        claims.append(Claim(f"{name}: value just above the crossing at {root:.4f}", sides[1], 0.0))
        claims.append(Claim(f"{name}: minus the value just below the crossing", -sides[0], 0.0))
    return rows


def _three_cards(claims: list[Claim], quick: bool) -> list[Row]:
    """Both exact best responses certify each policy."""
    rows = []
    every = [(n, rule, 3.0) for n in (1, 2, 3, 4) for rule in ("original", "free")] + [(4, "free", 8.0)]
    for per_rank, rule, stack in [(2, "free", 3.0)] if quick else every:
        began = perf_counter()
        game = LowballPushFold(stack, 3, per_rank, 8 if quick else 13, rule)
        snap = solve(game, "PCFR+", until=below("exploitability", CERTIFIED / 2) | iterations(2_000))
        gains = deviation_gains(game, snap.policy)
        what = f"three cards, {per_rank} a rank, {rule} discards, {stack:g} big blinds"
        claims.append(Claim(f"{what}: the larger best-response gain", max(gains), CERTIFIED))
        about = {"per_rank": per_rank, "discard": rule, "stack": stack, "hands": len(game.hands)}
        clock = {"iterations": snap.iteration, "seconds": perf_counter() - began}
        rows.append({**about, **clock, "value": snap.value, "gains": list(gains)})
    return rows


def _bets(claims: list[Claim], quick: bool) -> list[Row]:
    """One card: what limps, raises and bets after the draw win back at each stack."""
    rows: list[Row] = []
    for stack in (4.0,) if quick else (4.0, 5.0, 8.0):
        rows += lowball_variants(stack, ranks=6 if quick else 13)
    worst = max(row["exploitability"] for row in rows)
    claims.append(Claim("one card, every kind of bet: largest exploitability", worst, 1e-6))
    claims.append(
        Claim("largest loss of the button by having more to choose", -min(r["adds"] for r in rows), 1e-6)
    )
    return rows


def _after(claims: list[Claim], quick: bool) -> list[Row]:
    """Two cards with bets after the draw, exact without sampling."""
    rules: Row = {"stack": 4.0, "cards": 2, "limp": True, "ranks": 8 if quick else 13}
    until = below("exploitability", AFTER_DRAW) | iterations(3_000)
    game = Lowball(**rules, after_draw=(1.0,))
    snap, plain = (solve(one, "PCFR+", until=until) for one in (game, Lowball(**rules)))
    claims.append(
        Claim("two cards, bets after the draw, 4 big blinds: exploitability", snap.exploitability, AFTER_DRAW)
    )
    found = {"value": snap.value, "value without": plain.value, "iterations": snap.iteration}
    return [{**rules, "hands": len(game.hands), "exploitability": snap.exploitability, **found}]
