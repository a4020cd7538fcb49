"""The reverse gate: what a verb that writes asks the compiler before any byte changes (A4, D29, D31)."""

from collections.abc import Mapping, Sequence
from typing import Any

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress, Verification
from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import refuse
from m1nd.domain.settings import VERIFY_AGENTS

LISTED = 5


def verify_plans(
    brain: Brain, plans: Sequence[FilePlan], verify: str, progress: Progress | None
) -> Verification:
    """Check the planned tree: `check`, `none`, or empty for the default (check where cargo is present).

    Raises Refused(usage | verification_unavailable | verification_failed).
    """
    if verify not in ("", "check", "none"):
        refuse("usage", f"verify is check or none, not {verify!r}", "--verify check, or --verify none")
    if brain.actor.kind == "agent" and verify != "none" and brain.app.setting(VERIFY_AGENTS) == "none":
        return _switched_off(verify)
    present = verify != "none" and brain.verifier.available()
    if not present:
        if verify == "check":
            refuse(
                "verification_unavailable",
                "cargo cannot be started here",
                "the same command with --verify none; or install cargo",
            )
        reason = "asked for" if verify == "none" else "cargo is not present"
        return Verification("none", False, 0, 0, 0, 0, reason)
    outcome = brain.verifier.check(plans, progress)
    if outcome.new_errors:
        listed = "\n".join(f"{e['file']}:{e['line']}: {e['message']}" for e in outcome.new_errors[:LISTED])
        refuse(
            "verification_failed",
            f"the planned tree has {len(outcome.new_errors)} new error(s); nothing was written:\n{listed}",
            new_errors=[dict(error) for error in outcome.new_errors[:LISTED]],
        )
    return outcome


def _switched_off(verify: str) -> Verification:
    """Build scripts and macros of the repository run in a check; the owner may keep agents from starting them (D32)."""
    if verify == "check":
        refuse(
            "verification_unavailable",
            "the owner switched verification off for agents",
            "the same command with --verify none; the owner: m1nd config set verify.agents check",
        )
    return Verification("none", False, 0, 0, 0, 0, "switched off for agents by the owner")


def require_proof(
    unresolved: Sequence[Mapping[str, Any]], verification: Verification, accepted: bool, hint: str
) -> None:
    """Unresolved references need a verified build or the caller's word. Raises Refused(unresolved_references)."""
    if not unresolved or verification.verified or accepted:
        return
    first = unresolved[0]
    refuse(
        "unresolved_references",
        f"{len(unresolved)} reference(s) cannot be proven; the first: {first['file']}:{first['line']} "
        f"`{first['text']}`, {first['reason']}",
        hint=hint,
        refs_unresolved=list(unresolved),
    )


def verification_field(verification: Verification) -> dict[str, Any]:
    """The receipt's `verification`."""
    return {
        "mode": verification.mode,
        "verified": verification.verified,
        "errors_before": verification.errors_before,
        "errors_after": verification.errors_after,
        "warnings_added": verification.warnings_added,
        "ms": verification.ms,
        "reason": verification.reason,
    }
