"""What an agent writes and reads for three moves in real crates, against reading and rewriting every changed file by hand.

Tokens are characters / 4. `written` is what a model must compose: the two calls here, the whole new files by hand. `all` counts
what it reads too. Usage: python benchmarks/agent_tokens.py (fetches three pinned crates through cargo; a minute).
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.support.agent import House, environment_of
from tests.support.corpus import Pinned, unpacked

from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.service import Service

PER_TOKEN = 4
BAR = 256
"""The seed's own figure, for what is written."""
MOVES = (
    (Pinned("chrono", "0.4.45"), "duration_round", "src/round.rs", "src/time_delta.rs"),
    (Pinned("itertools", "0.15.0"), "tuples", "src/tuple_impl.rs", "src/free.rs"),
    (Pinned("httparse", "1.10.1"), "is_method_token", "src/lib.rs", "src/iter.rs"),
)


async def tokens(crate: Pinned, symbol: str, source: str, dest: str) -> dict[str, Any]:
    """`{hand, written, read}` of one move; the crate is a copy."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch, crate.name).resolve()
        shutil.copytree(unpacked(crate), root, ignore=shutil.ignore_patterns("target"))
        service = Service(str(root), environment_of(Path(scratch), os.environ))
        written = read = 0
        try:
            async with House(service).agent(client=Client("meter", caller_root=str(root))) as agent:
                await agent.data("ingest")
                move = {"symbol": symbol, "source_file": source, "dest_file": dest}
                plan = await agent.data("transplant_preview", **move)
                commit = {"preview_id": plan["preview_id"], "confirm": True}
                done = await agent.data("transplant_commit", **commit, verify="none", accept_unresolved=True)
                for tool, arguments, answer in (
                    ("transplant_preview", move, plan),
                    ("transplant_commit", commit, done),
                ):
                    written += len(json.dumps({"name": tool, "arguments": arguments}))
                    read += len(json.dumps(answer, ensure_ascii=False))
            hand = sum((root / file["file_path"]).stat().st_size for file in plan["files"])
        finally:
            service.close()
    return {"hand": hand // PER_TOKEN, "written": written // PER_TOKEN, "read": read // PER_TOKEN}


def main() -> int:
    ratios = []
    for crate, *move in MOVES:
        found = anyio.run(tokens, crate, *move)
        ratio = found["hand"] / found["written"]
        both = 2 * found["hand"] / (found["written"] + found["read"])
        ratios.append(ratio)
        print(
            f"{crate.name} {move[0]}: by hand {found['hand']:,} tokens of files; written {found['written']} ({ratio:.0f}x), "
            f"read {found['read']:,} ({both:.0f}x over all)"
        )
    median = sorted(ratios)[1]
    print(f"median of what is written: {median:.0f}x (bar {BAR}x)")
    return 0 if median >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
