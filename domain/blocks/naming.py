"""What a runner may call a block: names are shown to people, so nothing in them may act (reference: sanitizer classes).

Validation only; nothing is rewritten. The owner's own words are not looked at.
"""

import re

from m1nd.domain.refusal import refuse

LONGEST = {"name": 40, "purpose": 120}

CLASSES = (
    ("control character", re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")),
    ("token", re.compile(r"(?i)\b(?:sk|pk|ghp|gho|xox[abp]|akia|eyj|glpat)[-_]?[a-z0-9-]{10,}|\b(?=[a-z0-9+]*\d)[a-z0-9+]{24,}\b")),
    ("HTML markup", re.compile(r"<[A-Za-z/!]|&[a-z]+;|&#")),
    ("active Markdown", re.compile(r"[`*\[\]|]|\b_\w+_\b|^\s*(?:#|>|[-+]\s|\d+\.\s)|~~")),
    ("URL", re.compile(r"(?i)[a-z][a-z0-9+.-]*://|\bwww\.|\bjavascript:|\bdata:")),
    ("home path", re.compile(r"~")),
    ("path separator", re.compile(r"[/\\]")),
    ("email address", re.compile(r"\S@\S+\.\S")),
)  # fmt: skip


def check_runner_text(field: str, text: str) -> None:
    """Raises Refused(unsafe_text) naming the field (`name`, `purpose`) and the class of what is wrong."""
    fault = _fault(field, text)
    if fault:
        refuse("unsafe_text", f"{field}: {fault}", field=field, reason=fault)


def _fault(field: str, text: str) -> str:
    for name, pattern in CLASSES:
        if pattern.search(text):
            return name
    if not text.strip():
        return "empty"
    if len(text) > LONGEST[field]:
        return f"longer than {LONGEST[field]} characters"
    return ""
