"""The questions about antibodies, as SQL."""

import sqlite3

import orjson

from m1nd.application.memory_views import AntibodyRow
from m1nd.domain.memory.antibodies import Pattern
from m1nd.infrastructure.views.times import time_of


def antibodies(c: sqlite3.Connection) -> list[AntibodyRow]:
    query = (
        "SELECT antibody_id, name, description, severity, pattern, specificity, created_by, created_at, enabled "
        "FROM antibodies ORDER BY position"
    )
    return [
        AntibodyRow(
            id,
            name,
            said,
            severity,
            Pattern.model_validate(orjson.loads(pattern)),
            much,
            who,
            time_of(at),
            bool(on),
        )
        for id, name, said, severity, pattern, much, who, at, on in c.execute(query)
    ]
