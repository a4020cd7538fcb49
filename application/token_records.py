"""The part of the application that records tokens: given by the owner, revoked, and asked for (`domain/tokens.py`)."""

from m1nd.application.stamp_records import StampRecords, Used
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.refusal import refuse
from m1nd.domain.tokens import Presented, Purpose, Token, TokenState, stream_name


class TokenRecords(StampRecords):
    """Every method may raise Refused of the groups log and store."""

    def record_token(self, token: Presented, label: str, stamp: Used, command: Command) -> None:
        """Keep a token's hash. Raises Refused(human_gesture_required)."""
        self._append(command, lambda: [Token.create(token, label, command), *self._spend(stamp, command)])

    def revoke_token(self, id: str, command: Command) -> None:
        """Raises Refused(not_found)."""

        def work() -> list[Aggregate]:
            found = self._load(Token, stream_name(id))
            if found is None:
                refuse("not_found", f"there is no token {id}", "m1nd token list", id=id)
            found.revoke(command)
            return [found]

        self._append(command, work)

    def token(self, id: str) -> TokenState | None:
        found = self._load(Token, stream_name(id))
        return None if found is None else found.state

    def admitted(self, credential: str, purpose: Purpose) -> TokenState | None:
        """The token that this text presents, if it is one of this repository's, for that purpose, and not revoked."""
        presented = Presented.read(credential)
        state = None if presented is None else self.token(presented.id)
        if presented is None or state is None or not state.admits(presented, purpose):
            return None
        return state
