"""The settings of the log, read from the environment in this one place.

Only named M1ND_* settings count. The event-sourcing library has settings of its own that would move the log elsewhere
without a word (`PERSISTENCE_MODULE` alone puts it into memory): where one is set, m1nd refuses to start.
"""

from collections.abc import Mapping

from m1nd.domain.refusal import refuse

LIBRARY = frozenset(
    {
        "AGGREGATE_CACHE_FASTFORWARD",
        "AGGREGATE_CACHE_MAXSIZE",
        "APPLICATION_RECORDER_TOPIC",
        "CIPHER_KEY",
        "CIPHER_TOPIC",
        "COMPRESSOR_TOPIC",
        "CREATE_TABLE",
        "DEEPCOPY_FROM_AGGREGATE_CACHE",
        "FACTORY_TOPIC",
        "INFRASTRUCTURE_FACTORY",
        "IS_SNAPSHOTTING_ENABLED",
        "MAPPER_TOPIC",
        "ORIGINATOR_ID_TYPE",
        "PERSISTENCE_MODULE",
        "PROCESS_RECORDER_TOPIC",
        "SQLITE_DBNAME",
        "SQLITE_LOCK_TIMEOUT",
        "TRACKING_RECORDER_TOPIC",
        "TRANSCODER_TOPIC",
        "TZINFO_TOPIC",
    }
)
"""Keys of the library that choose or change the store."""

COMMON = frozenset({"CIPHER_KEY", "CREATE_TABLE"})
"""Names that other programs use too; without the prefix they are nobody's business here."""

PREFIX = "M1ND_"
LIBRARY_FAMILIES = ("M1ND_POSTGRES_", "M1ND_SQLITE_")
LOG_URL = "M1ND_LOG_URL"
"""Where the log lives when it is not `.m1nd/log.db`: a PostgreSQL URL."""


def check_log_settings(environment: Mapping[str, str]) -> None:
    """Refuse an environment that asks for a log this version does not keep.

    Raises Refused(unknown_setting) naming the variable. An empty value counts as unset.
    """
    for name, value in environment.items():
        if not value:
            continue
        bare = name.removeprefix(PREFIX)
        prefixed = bare != name
        if (bare in LIBRARY and (prefixed or bare not in COMMON)) or name.startswith(LIBRARY_FAMILIES):
            refuse(
                "unknown_setting",
                f"{name} would change where events are stored; m1nd keeps its log in log.db and obeys no such setting",
                f"unset {name}",
                setting=name,
            )
