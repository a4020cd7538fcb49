"""The Skeleton aggregate: candidates, their signatures, and which blocks were ratified (BLOCKS.md, D19).

Candidates live here, because edits cross blocks. Once blocks are ratified, a new proposal lies beside them as a revision
until it is promoted: then its blocks are candidates, and are signed like the first ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from attrs import frozen

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, JsonObject, event
from m1nd.domain.blocks.block_state import CandidateBlock
from m1nd.domain.blocks.proposal import Proposal, Ratification, SkeletonStage
from m1nd.domain.blocks.signatures import PARTS, Part, Shown, Signed
from m1nd.domain.refusal import refuse
from m1nd.domain.streams import stream_id

STREAM = "skeleton"
SKELETON_ID = stream_id(STREAM)


@frozen
class SkeletonState:
    """The skeleton as its stream tells it. `candidates` are sorted by id; `ratified` are ids of blocks ever ratified."""

    skeleton_id: str
    version: int
    stage: SkeletonStage
    repo_id: str
    source_commit: str
    candidates: Mapping[str, CandidateBlock]
    signed: Signed
    ratified: tuple[str, ...]
    ratification: Ratification
    revision_id: str
    revision: Proposal | None
    unmapped_policy: Mapping[str, Any]


UNMAPPED_POLICY = {"visible": True, "default_action": "leave_unmapped_until_ratified"}


class SignatureEvent(Event):
    """What the three signatures share: one digest over all that was shown, and one for each block of it."""

    digest: str
    blocks: dict[str, str]
    stamp_id: str = ""


class Skeleton(Aggregate):
    TOPIC = "skeleton"

    class SkeletonOpened(CreatedEvent):
        """The stream begins; nothing is proposed yet."""

        TOPIC: ClassVar[str] = "skeleton_opened"

    class SkeletonProposed(Event):
        TOPIC: ClassVar[str] = "skeleton_proposed"
        proposal: Proposal

    class CandidateReplaced(Event):
        """A new proposal in the place of candidates that nobody ratified; nothing of them is inherited."""

        TOPIC: ClassVar[str] = "candidate_replaced"
        previous: tuple[str, ...]
        proposal: Proposal

    class CandidateEdited(Event):
        """`ops` as they were asked for; `changed` are the blocks as they are now, `removed` those that are no more."""

        TOPIC: ClassVar[str] = "candidate_edited"
        by: Literal["owner", "runner"]
        ops: tuple[JsonObject, ...]
        changed: tuple[CandidateBlock, ...]
        removed: tuple[str, ...] = ()

    class SeedImported(Event):
        """The map of a seed file. `as_ratified` where a stamp over `seed_digest` let it keep its word (D24)."""

        TOPIC: ClassVar[str] = "seed_imported"
        seed_digest: str
        forced: bool
        as_ratified: bool
        proposal: Proposal
        ratification: Ratification
        stamp_id: str = ""

    class NamesSigned(SignatureEvent):
        TOPIC: ClassVar[str] = "names_signed"

    class BoundariesSigned(SignatureEvent):
        """Of candidates; or, scoped, of ratified blocks whose boundary moved (D40)."""

        TOPIC: ClassVar[str] = "boundaries_signed"

    class ContractSigned(SignatureEvent):
        """Of candidates; or, scoped, of a ratified block whose contract the owner amended."""

        TOPIC: ClassVar[str] = "contract_signed"

    class SignatureVoided(Event):
        TOPIC: ClassVar[str] = "signature_voided"
        part: Part
        block_ids: tuple[str, ...]
        cause: str

    class SkeletonRatified(Event):
        """These blocks were ratified in this append. `partial`: candidates remain."""

        TOPIC: ClassVar[str] = "skeleton_ratified"
        version: int
        block_ids: tuple[str, ...]
        partial: bool
        ratification: Ratification

    class RevisionProposed(Event):
        TOPIC: ClassVar[str] = "revision_proposed"
        revision_id: str
        proposal: Proposal

    class RevisionPromoted(Event):
        """The revision's blocks are candidates now; `unchanged` are left out, for they stand ratified just so."""

        TOPIC: ClassVar[str] = "revision_promoted"
        revision_id: str
        blocks: tuple[CandidateBlock, ...]
        unchanged: tuple[str, ...] = ()

    class RevisionDiscarded(Event):
        TOPIC: ClassVar[str] = "revision_discarded"
        revision_id: str

    class SeedExported(Event):
        TOPIC: ClassVar[str] = "seed_exported"
        digest: str
        path: str

    @event(SkeletonOpened)
    def __init__(self) -> None:
        self.proposal = Proposal(skeleton_id="sk_none", blocks=())
        self.candidates: dict[str, CandidateBlock] = {}
        self.signed: dict[Part, dict[str, str]] = {part: {} for part in PARTS}
        self.ratified: tuple[str, ...] = ()
        self.map_version = 0
        self.ratification = Ratification()
        self.revision_id = ""
        self.revision: Proposal | None = None

    @classmethod
    def open(cls, command: Command) -> Self:
        return cls._begin(cls.SkeletonOpened, command, STREAM)

    @property
    def stage(self) -> SkeletonStage:
        if not self.ratified:
            return "candidate" if self.candidates else "absent"
        return "partially_ratified" if self.candidates else "ratified"

    @property
    def state(self) -> SkeletonState:
        return SkeletonState(
            self.proposal.skeleton_id,
            self.map_version or self.proposal.version,
            self.stage,
            self.proposal.repo_id,
            self.proposal.source_commit,
            dict(sorted(self.candidates.items())),
            {part: dict(digests) for part, digests in self.signed.items()},
            self.ratified,
            self.ratification,
            self.revision_id,
            self.revision,
            UNMAPPED_POLICY,
        )

    # Proposals

    def propose(self, proposal: Proposal, command: Command) -> Literal["created", "replaced"]:
        """Take a proposal where nothing is ratified yet; candidates of before are gone whole."""
        if self.ratified:
            raise ValueError("a ratified skeleton takes a revision")
        if not self.candidates:
            self._record(Skeleton.SkeletonProposed, command, proposal=proposal)
            return "created"
        self._record(
            Skeleton.CandidateReplaced,
            command,
            previous=tuple(sorted(self.candidates)),
            proposal=proposal,
        )
        return "replaced"

    def propose_revision(self, revision_id: str, proposal: Proposal, command: Command) -> None:
        """Lay a proposal beside the ratified map, which stays untouched; an older revision is replaced."""
        self._record(Skeleton.RevisionProposed, command, revision_id=revision_id, proposal=proposal)

    def promote_revision(self, unchanged: Iterable[str], command: Command) -> tuple[str, ...]:
        """Make the revision's blocks candidates, but for those that stand ratified just so; answers their ids.

        Raises Refused(no_revision).
        """
        revision = self._require_revision()
        same = set(unchanged)
        blocks = tuple(block for block in revision.blocks if block.block_id not in same)
        self._record(
            Skeleton.RevisionPromoted,
            command,
            revision_id=self.revision_id,
            blocks=blocks,
            unchanged=tuple(sorted(same)),
        )
        return tuple(block.block_id for block in blocks)

    def discard_revision(self, command: Command) -> str:
        """Raises Refused(no_revision)."""
        self._require_revision()
        gone = self.revision_id
        self._record(Skeleton.RevisionDiscarded, command, revision_id=gone)
        return gone

    def _require_revision(self) -> Proposal:
        if self.revision is None:
            refuse("no_revision", "no revision lies beside the map")
        return self.revision

    def import_seed(
        self,
        proposal: Proposal,
        ratification: Ratification,
        seed_digest: str,
        command: Command,
        *,
        forced: bool,
        as_ratified: bool,
        stamp_id: str = "",
    ) -> Event:
        """The map is the seed's; what was ratified stays ratified until the seed's blocks replace it."""
        return self._record(
            Skeleton.SeedImported,
            command,
            seed_digest=seed_digest,
            forced=forced,
            as_ratified=as_ratified,
            proposal=proposal,
            ratification=ratification,
            stamp_id=stamp_id,
        )

    def note_export(self, digest: str, path: str, command: Command) -> None:
        self._record(Skeleton.SeedExported, command, digest=digest, path=path)

    # Candidates

    def require_candidates(self) -> None:
        """Raises Refused(no_store | skeleton_not_candidate) where nothing can be edited."""
        if self.stage == "absent":
            refuse("no_store", "no system-block store here yet")
        if not self.candidates:
            refuse(
                "skeleton_not_candidate",
                "the skeleton is ratified: its blocks are amended, or a revision is promoted",
                "m1nd blocks amend, or m1nd blocks candidate for a revision",
            )

    def edit(
        self,
        by: Literal["owner", "runner"],
        ops: Sequence[Mapping[str, Any]],
        after: Mapping[str, CandidateBlock],
        command: Command,
    ) -> None:
        """Take the candidates as they are after a batch of edits; signatures over what changed are void."""
        changed = tuple(block for id, block in sorted(after.items()) if self.candidates.get(id) != block)
        removed = tuple(sorted(set(self.candidates) - set(after)))
        touched = {*(block.block_id for block in changed), *removed}
        if not touched:
            return
        edited = self._record(
            Skeleton.CandidateEdited,
            command,
            by=by,
            ops=tuple(dict(op) for op in ops),
            changed=changed,
            removed=removed,
        )
        follow = command.caused_by(edited)
        for part in PARTS:
            if void := sorted(touched & set(self.signed[part])):
                self.void(part, void, "edited", follow)

    # Signatures

    def sign(self, shown: Shown, stamp_id: str, command: Command) -> Event:
        """Record a person's signature over what was shown."""
        kinds: dict[Part, type[SignatureEvent]] = {
            "names": Skeleton.NamesSigned,
            "boundaries": Skeleton.BoundariesSigned,
            "contract": Skeleton.ContractSigned,
        }
        return self._record(
            kinds[shown.part],
            command,
            digest=shown.digest,
            blocks=dict(shown.blocks),
            stamp_id=stamp_id,
        )

    def void(self, part: Part, block_ids: Sequence[str], cause: str, command: Command) -> None:
        self._record(Skeleton.SignatureVoided, command, part=part, block_ids=tuple(block_ids), cause=cause)

    def ratify(self, block_ids: Sequence[str], ratification: Ratification, command: Command) -> Event:
        """These candidates are blocks now."""
        return self._record(
            Skeleton.SkeletonRatified,
            command,
            version=max(self.map_version + 1, self.proposal.version),
            block_ids=tuple(block_ids),
            partial=bool(set(self.candidates) - set(block_ids)),
            ratification=ratification,
        )

    # Applying

    def _take(self, proposal: Proposal) -> None:
        self.proposal = proposal.model_copy(update={"blocks": ()})
        self.candidates = {block.block_id: block for block in proposal.blocks}
        self.signed = {part: {} for part in PARTS}

    @event(SkeletonProposed)
    def _proposed(self, proposal: Proposal) -> None:
        self._take(proposal)

    @event(CandidateReplaced)
    def _replaced(self, proposal: Proposal) -> None:
        self._take(proposal)

    @event(SeedImported)
    def _imported(self, proposal: Proposal, ratification: Ratification) -> None:
        self._take(proposal)
        self.ratification = ratification
        self.revision, self.revision_id = None, ""

    @event(CandidateEdited)
    def _edited(self, changed: tuple[CandidateBlock, ...], removed: tuple[str, ...]) -> None:
        kept = {id: block for id, block in self.candidates.items() if id not in removed}
        self.candidates = kept | {block.block_id: block for block in changed}

    @event(NamesSigned)
    def _names_signed(self, blocks: dict[str, str]) -> None:
        self._sign("names", blocks)

    @event(BoundariesSigned)
    def _boundaries_signed(self, blocks: dict[str, str]) -> None:
        self._sign("boundaries", blocks)

    @event(ContractSigned)
    def _contract_signed(self, blocks: dict[str, str]) -> None:
        self._sign("contract", blocks)

    def _sign(self, part: Part, blocks: Mapping[str, str]) -> None:
        self.signed[part] |= {id: digest for id, digest in blocks.items() if id in self.candidates}

    @event(SignatureVoided)
    def _voided(self, part: Part, block_ids: tuple[str, ...]) -> None:
        self.signed[part] = {id: d for id, d in self.signed[part].items() if id not in block_ids}

    @event(SkeletonRatified)
    def _ratified(self, version: int, block_ids: tuple[str, ...], ratification: Ratification) -> None:
        self.map_version = version
        self.ratified = tuple(sorted({*self.ratified, *block_ids}))
        self.ratification = ratification
        self.candidates = {id: block for id, block in self.candidates.items() if id not in block_ids}
        for part in PARTS:
            self.signed[part] = {id: d for id, d in self.signed[part].items() if id not in block_ids}

    @event(RevisionProposed)
    def _revision_proposed(self, revision_id: str, proposal: Proposal) -> None:
        self.revision_id, self.revision = revision_id, proposal

    @event(RevisionPromoted)
    def _promoted(self, blocks: tuple[CandidateBlock, ...]) -> None:
        self.candidates |= {block.block_id: block for block in blocks}
        self.revision_id, self.revision = "", None

    @event(RevisionDiscarded)
    def _discarded(self) -> None:
        self.revision_id, self.revision = "", None

    @event(SeedExported)
    def _exported(self) -> None:
        """The map is as it was."""
