"""`card_shown`: record that a card was shown to the human, so that the cadence knows it (D13)."""

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.use_cases.requests import answered, new_command


@frozen
class CardNoted:
    """`first_in_session` and `first_of_day` (UTC) tell what this card was."""

    session: str
    state_sig: str
    first_in_session: bool
    first_of_day: bool


def card_shown(brain: Brain, session: str, state_sig: str) -> CardNoted:
    """Record it. Raises Refused(read_only | usage), and of the groups log and store."""
    brain.deny_if_read_only("card_shown")
    arguments = {"session": session, "state_sig": state_sig}

    def work() -> CardNoted:
        command = new_command(brain, "card_shown", arguments)
        before = brain.views.cards_shown(session, command.at)
        brain.app.record_card_shown(session, state_sig, command)
        return CardNoted(session, state_sig, not before.signatures, not before.today)

    return answered(brain, "card_shown", arguments, work)
