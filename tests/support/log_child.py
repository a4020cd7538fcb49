"""One writer of a log, as a process of its own: `python -m tests.support.log_child FOLDER NAME COUNT`.

The log is the one that the environment names. Appends COUNT changes of the graph (0: until it is killed), printing each generation after its append was answered.
"""

import os
import sys
from datetime import UTC, datetime

from tests.support.log import ingest

from m1nd.domain.base import Actor, Command
from m1nd.infrastructure.log import open_app


def main(folder: str, name: str, count: int) -> None:
    app = open_app(folder, os.environ)
    number = 0
    while number < count or count == 0:
        number += 1
        asked = Command.of(
            "ingest",
            {"number": number},
            id=f"{name}-{number}",
            at=datetime.now(UTC),
            actor=Actor(kind="agent", id=name),
        )
        generation = app.record_graph_change(ingest(f"{name}_{number}.rs"), asked)
        sys.stdout.write(f"{number} {generation}\n")
        sys.stdout.flush()
    app.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
