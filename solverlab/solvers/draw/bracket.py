"""How far a strategy is from equilibrium in the exact draw game: a bracket, not a point.

Below: best responses of the model are fixed, then scored on fresh deals of the exact game. No strategy gains
less than its best response, so both gains together are at most the NashConv, up to the standard error.
Above: what the best responses gain inside the model, where every draw is counted and the other's cards are
followed to the order of the model. That is an estimate: how good it is shows in how well the model predicts
what the same answers gain on the fresh deals.
"""

from __future__ import annotations

from dataclasses import dataclass

from solverlab.solvers.draw.betting_score import TreeScore
from solverlab.solvers.draw.deals import Dealer
from solverlab.solvers.draw.model import Answer, DrawModel
from solverlab.solvers.draw.policy import DrawPolicy
from solverlab.solvers.draw.score import Score, score

SIGMAS = 3.0


@dataclass(frozen=True)
class Bracket:
    """NashConv of a policy in big blinds, from below (sampled) and above (model)."""

    score: Score | TreeScore
    order: int
    model_button_gain: float
    model_big_blind_gain: float
    model_value: float  # the button's value in the model, seen from both sides

    @property
    def lower(self) -> float:
        """The sampled lower bound, three standard errors taken off; never below zero."""
        return max(self.score.nash_conv - SIGMAS * self.score.nash_conv_error, 0.0)

    @property
    def upper(self) -> float:
        """The larger of what the model says and what was scored with three standard errors added."""
        modelled = self.model_button_gain + self.model_big_blind_gain
        return max(modelled, self.score.nash_conv + SIGMAS * self.score.nash_conv_error)

    def record(self) -> dict[str, float | int]:
        """Plain JSON values."""
        modelled = self.model_button_gain + self.model_big_blind_gain
        return {
            "lower": self.lower,
            "upper": self.upper,
            "scored_nash_conv": self.score.nash_conv,
            "scored_error": self.score.nash_conv_error,
            "model_order": self.order,
            "model_nash_conv": modelled,
            "value": self.score.value,
            "value_error": self.score.value_error,
            "model_value": self.model_value,
            "deals": self.score.deals,
        }


def answers(model: DrawModel, policy: DrawPolicy) -> tuple[Answer, Answer]:
    """Best responses of both players within a model."""
    return model.answer_of_button(policy), model.answer_of_big_blind(policy)


def bracket(
    model: DrawModel, dealer: Dealer, policy: DrawPolicy, deals: int = 4_000_000, rng: int = 12345
) -> Bracket:
    """Measure a policy: answers from the model, gains from fresh deals of the exact game."""
    button, big_blind = answers(model, policy)
    found = score(dealer, model.stack, policy, (button, big_blind), deals, rng, model.threads)
    middle = (button.base - big_blind.base) / 2
    return Bracket(found, model.order, button.gain, big_blind.gain, middle)
