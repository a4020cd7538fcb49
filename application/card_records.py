"""The part of the application that records shown cards (`domain/card/showing.py`)."""

from m1nd.application.appending import Appending
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.card.showing import Cards, cards_id


class CardRecords(Appending):
    """Every method may raise Refused of the groups log and store."""

    def record_card_shown(self, session: str, state_sig: str, command: Command) -> None:
        """Keep that a card was shown. Raises Refused(usage) for what is no signature."""

        def work() -> list[Aggregate]:
            last = self._last_event(cards_id(command.at))
            cards = Cards.open(command) if last is None else Cards.resume(last)
            cards.show(session, state_sig, command)
            return [cards]

        self._append(command, work)
