"""Whether a map belongs to the repository that it lies in: a vital sign, which refuses nothing (seed 001 §8)."""

from collections.abc import Iterable

from attrs import frozen

from m1nd.domain.blocks.generation import slug


@frozen
class Coherence:
    """`found_slug` is the first that differs; empty where all is well."""

    expected_slug: str
    found_slug: str = ""

    @property
    def is_ok(self) -> bool:
        return not self.found_slug

    def wire(self) -> dict[str, str]:
        """`{status: ok}`, or `{status: mismatch, expected_slug, found_slug}`."""
        if self.is_ok:
            return {"status": "ok"}
        return {
            "status": "mismatch",
            "expected_slug": self.expected_slug,
            "found_slug": self.found_slug,
        }


def coherence(project: str, skeleton_id: str, block_ids: Iterable[str]) -> Coherence:
    """The slug of the project's folder against `sk_<slug>_*` and every `sb_<slug>_*`."""
    expected = slug(project)
    for id, prefix in ((skeleton_id, "sk_"), *((id, "sb_") for id in block_ids)):
        if not id.startswith(f"{prefix}{expected}_"):
            return Coherence(expected, id.removeprefix(prefix).split("_", 1)[0])
    return Coherence(expected)
