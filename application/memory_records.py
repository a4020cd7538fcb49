"""The part of the application that records what is remembered: claims, paint, antibodies; each method is one append."""

from collections.abc import Sequence

from m1nd.application.appending import Appending
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.memory.claims import Claim, ClaimFields, stream_name
from m1nd.domain.refusal import refuse


class MemoryRecords(Appending):
    """Every method may raise Refused of the groups log and store."""

    def record_claim(self, fields: ClaimFields, command: Command) -> str:
        """Keep a claim; answers its id (the earlier one when the command was given before).

        With `supersedes` the older claim gives its place in the same append. Raises Refused(claim_unknown |
        claim_superseded | claim_weaker).
        """

        def work() -> list[Aggregate]:
            claim = Claim.memorize(fields, command)
            if not fields.supersedes:
                return [claim]
            older = self._claim(fields.supersedes)
            older.supersede(claim, command)
            return [claim, older]

        return str(self._append(command, work).last(Claim.ClaimMemorized).claim_id)

    def record_claims(self, claims: Sequence[ClaimFields], command: Command) -> tuple[str, ...]:
        """Keep several claims that supersede nothing, in one append; answers their ids."""
        appended = self._append(command, lambda: [Claim.memorize(fields, command) for fields in claims])
        return tuple(event.claim_id for event in appended.events if isinstance(event, Claim.ClaimMemorized))

    def _claim(self, claim_id: str) -> Claim:
        found = self._load(Claim, stream_name(claim_id))
        if found is None:
            refuse("claim_unknown", f"there is no claim {claim_id}", claim_id=claim_id)
        return found
