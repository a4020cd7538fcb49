"""Protected zones: files that a move may not touch without the human's gesture (seed 002 §5.A3, D44).

`ci/protected-zones.json` at the root: `{"zones": [{"glob": "…", "reason": "…"}]}`. No file means no zones, a broken one
refuses every write. A planned file that says of itself that it is generated is in a zone of its own.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import frozen

from m1nd.domain.edits import FilePlan
from m1nd.domain.globs import compile_glob
from m1nd.domain.refusal import Refused, refuse

CONFIG = "ci/protected-zones.json"
GENERATED = re.compile(
    rb"(?i)^[ \t]*(//|/\*|#).*(@generated\b|code generated .* do not edit|automatically generated)",
    re.MULTILINE,
)
HEAD_BYTES = 2048
ITSELF = "the list of zones guards itself: its owner changes it by hand"
OTHERWISE = "leave that file out of the plan"


@frozen
class Zone:
    glob: str
    reason: str


AGENT_FILES = (
    "**/.mcp.json",
    "**/.claude/**",
    "**/.codex/**",
    "**/.cursor/**",
    "**/.gemini/**",
    "**/.opencode/**",
    "**/opencode.json",
    "**/.vscode/**",
    "**/.zed/**",
    "**/.envrc",
)
"""What tells an agent's host, an editor or a shell what to start: an agent that may write it may start anything."""
OF_AGENTS = "it tells a host what to start and what an agent may do: its owner changes it by hand"
STANDING = (Zone(CONFIG, ITSELF), *(Zone(glob, OF_AGENTS) for glob in AGENT_FILES))
"""Zones that hold in every repository, whatever its list says."""


def read_zones(config: bytes | None) -> tuple[Zone, ...]:
    """The zones of a configuration file; none without one. Raises Refused(zone_config_broken)."""
    if config is None:
        return ()
    try:
        zones = tuple(_zone(entry) for entry in _listed(json.loads(config)["zones"]))
        for zone in zones:
            compile_glob(zone.glob)
    except (ValueError, TypeError, KeyError, AttributeError) as broken:
        refuse(
            "zone_config_broken",
            f"the protected-zone guard is armed but {CONFIG} is invalid ({broken}); it fails closed",
        )
    except Refused as broken:
        refuse("zone_config_broken", f"{CONFIG}: {broken.refusal.message}; it fails closed")
    return zones


def _listed(zones: object) -> list[Any]:
    if not isinstance(zones, list):
        raise TypeError("`zones` is not a list")
    return zones


def _zone(entry: Any) -> Zone:
    glob, reason = entry["glob"], entry.get("reason")
    if not isinstance(glob, str):
        raise TypeError("a `glob` is not a text")
    return Zone(glob, str(reason or "no reason given"))


def crossings(
    zones: Iterable[Zone], plans: Iterable[FilePlan], real: Mapping[str, str] = MappingProxyType({})
) -> list[Mapping[str, Any]]:
    """Every zone that a planned file lies in: `{zone, zone_reason, matched_files[]}`, one entry a zone.

    `real` maps a planned path to where it lies after its links; a link into a zone is in the zone. The configuration
    itself is always protected, or any writer could disarm the guard first; so are the files of agent hosts.
    """
    files = list(plans)
    found: list[Mapping[str, Any]] = []
    for zone in (*STANDING, *zones):
        pattern = compile_glob(zone.glob)
        matched = [
            p.path for p in files if pattern.fullmatch(p.path) or pattern.fullmatch(real.get(p.path, p.path))
        ]
        if matched:
            found.append({"zone": zone.glob.strip(), "zone_reason": zone.reason, "matched_files": matched})
    generated = [p.path for p in files if p.before and GENERATED.search(p.before[:HEAD_BYTES])]
    if generated:
        reason = "the file says that it is generated: an edit would be lost"
        found.append({"zone": "generated files", "zone_reason": reason, "matched_files": generated})
    return found


def check_zones(found: Sequence[Mapping[str, Any]], allow_protected: str, otherwise: str = OTHERWISE) -> None:
    """Refuse a crossing without a reason; the stamp is asked for by the use case (D44). `otherwise` is the step without.

    Raises Refused(protected_zone), with every match in the details.
    """
    if not found or allow_protected.strip():
        return
    refuse(
        "protected_zone",
        f"protected zone: {what_is_crossed(found)}; nothing was written",
        hint=f"{otherwise}; a human may cross it with --allow-protected REASON and a stamp",
        zones=list(found),
    )


def what_is_crossed(found: Sequence[Mapping[str, Any]]) -> str:
    """The first zone with its files, and how many more there are."""
    first = found[0]
    files = ", ".join(first["matched_files"])
    more = f", and {len(found) - 1} more zone(s) are touched" if found[1:] else ""
    return f"{files} lies in `{first['zone']}` ({first['zone_reason']}){more}"


def crossed(found: Sequence[Mapping[str, Any]], gesture: str) -> dict[str, Any] | None:
    """The receipt's `protected_zone`: the first zone with the human's gesture, and every match; None where none was."""
    if not found:
        return None
    return {**found[0], "gesture": gesture, "matches": list(found)}
