"""What `M1ND_LOG_URL` says: which server, and which schema on it holds this repository's log."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from attrs import field, frozen

from m1nd.domain.refusal import refuse

SCHEMES = ("postgresql", "postgres")
SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,39}")


@frozen
class Address:
    server: str = field(repr=False)
    """The URL without the schema, as libpq reads it; may hold a password, so it is never shown."""
    schema: str


def address_of(url: str, setting: str) -> Address:
    """The address that a URL `postgresql://…/database?schema=NAME` names.

    The schema has no default: two repositories that meant one log by accident would mix their histories.
    Raises Refused(unknown_setting) naming the `setting` that holds it.
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in SCHEMES and parts.path.strip("/") != ""
    except ValueError:
        known = False
    if not known:
        refuse(
            "unknown_setting",
            f"{setting} must be postgresql://[user@]host/database?schema=NAME",
            f"set {setting} in that form, or unset {setting} to keep the log in log.db",
            setting=setting,
        )
    options = parse_qsl(parts.query, keep_blank_values=True)
    schemas = [value for key, value in options if key == "schema"]
    if len(schemas) != 1 or SCHEMA.fullmatch(schemas[0]) is None:
        refuse(
            "unknown_setting",
            f"{setting} must name one schema for this repository's log: lower-case letters, digits and _, at most 40",
            f"add ?schema=NAME to {setting}",
            setting=setting,
        )
    query = urlencode([(key, value) for key, value in options if key != "schema"])
    return Address(urlunsplit(parts._replace(query=query)), schemas[0])
