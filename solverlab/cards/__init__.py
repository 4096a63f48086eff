"""What a card, a hand, a range is: evaluators, suit isomorphism, ranges and exact equity.

May import `core` only; knows no game and no solver. Start reading at `cards` (text to integers), then
`evaluate_high` and `isomorphism`; the names below load when first used, because tables are built at import.
(`equity` and `evaluate_lowball` are functions in modules of the same name, so here those names are modules.)
"""

from __future__ import annotations

from importlib import import_module

_HOME = {
    "AllIn": "all_in",
    "BuildCancelled": "table_cache",
    "CLASS_NAMES": "hand_classes",
    "Equity": "equity",
    "Range": "ranges",
    "all_in_matrix": "all_in",
    "best_five": "evaluate_high",
    "cache_folder": "table_cache",
    "canonical_board": "isomorphism",
    "canonical_count": "deals",
    "canonical_hand": "indexing",
    "canonical_index": "indexing",
    "card_text": "cards",
    "cards_text": "cards",
    "category": "evaluate_high",
    "class_number": "hand_classes",
    "deal_cards": "deals",
    "deal_index": "deals",
    "evaluate": "evaluate_high",
    "parse_board": "cards",
    "parse_cards": "cards",
    "parse_hole": "cards",
    "parse_range": "ranges",
    "range_text": "written_ranges",
    "wins_and_ties": "showdown",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Load a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"solverlab.cards has no {name!r}")
    return getattr(import_module(f"solverlab.cards.{_HOME[name]}"), name)
