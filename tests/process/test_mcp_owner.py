"""The owner process and its relays: one owner, no lost event, nothing left behind, whatever ends first (PORTS.md, MCP)."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.agent import harbour_root
from tests.support.relay import COMMAND, HELLO, Machine, machine, until

from m1nd import __version__
from m1nd.adapters.mcp import relay

pytestmark = pytest.mark.slow


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return harbour_root(tmp_path)


@pytest.fixture
def here() -> Iterator[Machine]:
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as made,
    ):
        yield made


def test_the_first_relay_starts_an_owner_and_the_next_finds_it(root: Path, here: Machine) -> None:
    first = here.host(root).hello()
    assert first.call("ingest")["data"]["modules"] == 24
    second = here.host(root / "src").hello()
    assert second.call("ingest")["data"]["added"] == 0
    assert here.owner(root) == {
        "running": True,
        "version": __version__,
        "pid": here.owners()[0],
        "clients": 2,
    }
    assert (first.end(), second.end()) == (0, 0)
    until(lambda: here.owner(root)["clients"] == 0)


def test_the_socket_is_this_users_alone(root: Path, here: Machine) -> None:
    here.host(root).hello()
    (path,) = here.sockets()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_of_owners_that_start_at_once_one_serves_everybody(root: Path, here: Machine) -> None:
    hosts = [here.host(root) for _ in range(4)]
    for host in hosts:
        host.hello()
    until(lambda: len(here.owners()) == 1)
    assert here.owner(root)["clients"] == 4
    for host in hosts:
        assert host.process.stderr is not None
        assert host.end() == 0
        assert host.process.stderr.read() == b""


def test_a_socket_that_a_killed_owner_left_is_replaced(root: Path, here: Machine) -> None:
    first = here.host(root).hello()
    (owner,) = here.owners()
    os.kill(owner, signal.SIGKILL)
    assert (
        first.process.wait(5) == 0
    )  # the relay ends with its owner, and the host sees the end of the stream
    assert len(here.sockets()) == 1
    assert here.host(root).hello().call("search", query="clearance")["ok"] is True
    assert here.owners() != [owner]


def test_an_owner_ends_when_nobody_was_there_for_a_while(root: Path, here: Machine) -> None:
    here.environment["M1ND_OWNER_IDLE"] = "1"
    host = here.host(root).hello()
    time.sleep(2.5)
    assert host.call("status")["ok"] is True  # a silent agent is somebody
    host.end()
    until(lambda: not here.owners())
    assert here.sockets() == []


def test_an_owner_ends_when_its_root_vanishes(root: Path, here: Machine, tmp_path: Path) -> None:
    host = here.host(root).hello()
    root.rename(tmp_path / "gone")
    assert host.process.wait(10) == 0
    until(lambda: not here.owners())
    assert here.sockets() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_owner_ends_politely_on_a_signal(number: int, root: Path, here: Machine) -> None:
    host = here.host(root).hello()
    host.call("ingest")
    (owner,) = here.owners()
    os.kill(owner, number)
    assert host.process.wait(5) == 0
    until(lambda: not here.owners(), 3)
    assert here.sockets() == []
    assert here.m1nd(root, "audit", "verify")["ok"] is True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("options", [(), ("--in-process",)])
def test_a_server_of_a_host_ends_at_a_signal_though_its_input_stays_open(
    options: tuple[str, ...], number: int, root: Path, here: Machine
) -> None:
    host = here.host(root, *options).hello()
    host.process.send_signal(number)
    assert host.process.wait(20) == 128 + number


@pytest.mark.parametrize("options", [(), ("--in-process",)])
def test_a_server_ends_with_its_parent_though_the_pipe_stays_open(
    options: tuple[str, ...], root: Path, here: Machine
) -> None:
    """A host that dies may leave its end of the pipe to somebody else."""
    reading, writing = os.pipe()
    code = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen({[*COMMAND, *options]!r}, stdin={reading}, stdout=subprocess.DEVNULL)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=root,
        env=here.environment,
        stdout=subprocess.PIPE,
        pass_fds=[reading],
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    if options:
        until(lambda: len(list(Path(f"/proc/{child}/task").iterdir())) >= 3)  # it serves
    else:
        until(lambda: here.owner(root)["clients"] == 1)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: not _runs(child), 4)
    os.close(reading)
    os.close(writing)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_where_no_socket_can_be_made_the_relay_serves_by_itself(root: Path, here: Machine) -> None:
    (here.folder / "m1nd").mkdir(mode=0o755)
    (here.folder / "m1nd").chmod(0o755)
    host = here.host(root).hello()
    assert host.call("search", query="clearance")["ok"] is True
    assert here.owners() == []
    assert host.end() == 0
    assert host.process.stderr is not None
    assert b"serving in this process" in host.process.stderr.read()


def test_an_owner_of_another_version_is_not_used_and_ends_with_its_last_client(
    root: Path, here: Machine
) -> None:
    first = here.host(root).hello()
    (path,) = here.sockets()
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.connect(str(path))
        stranger.sendall(b'{"m1nd": "0.0.0"}\n')
        said = json.loads(stranger.makefile().readline())
    assert (said["ok"], said["version"]) == (False, __version__)
    second = here.host(root).hello()  # the owner retires: this one serves itself
    assert second.call("search", query="clearance")["ok"] is True
    first.end()
    until(lambda: not here.owners())
    second.end()


def test_agents_are_told_apart_by_their_host_and_outlive_their_relay(root: Path, here: Machine) -> None:
    move = {"symbol": "clearance", "source_file": "src/berth.rs", "dest_file": "src/draught.rs"}
    first = here.host(root).hello()
    plan = first.call("transplant_preview", **move)["data"]["preview_id"]
    first.end()
    commit = {"preview_id": plan, "confirm": True, "verify": "none"}
    other = here.host(root, M1ND_AGENT="somebody else").hello()
    assert other.call("transplant_commit", **commit)["error"]["code"] == "preview_wrong_agent"
    again = here.host(root).hello()
    assert again.call("transplant_commit", **commit)["ok"] is True


def test_repositories_of_one_name_have_an_owner_each(root: Path, here: Machine, tmp_path: Path) -> None:
    (tmp_path / "else").mkdir()
    other = harbour_root(tmp_path / "else")
    assert other.name == root.name
    (other / "only_here.md").write_text("x\n")
    first, second = here.host(root).hello(), here.host(other).hello()
    counts = [host.call("ingest")["data"]["files"] for host in (first, second)]
    assert counts[1] == counts[0] + 1
    assert len(here.owners()) == 2


def test_a_caller_of_another_repository_may_not_write(root: Path, here: Machine, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    host = here.host(other, M1ND_ROOT=str(root)).hello()
    error = host.call("edit_preview", plan="x")["error"]
    assert error["code"] == "root_mismatch"
    assert host.call("search", query="clearance")["ok"] is True


def test_a_folder_in_no_repository_gets_answers_that_say_so(here: Machine, tmp_path: Path) -> None:
    lonely = tmp_path / "lonely"
    lonely.mkdir()
    host = here.host(lonely).hello()
    assert host.ask("tools/list")["result"]["tools"]
    assert host.call("search", query="x")["error"]["code"] == "no_project"
    assert host.end() == 0
    assert list(lonely.iterdir()) == []


@pytest.mark.parametrize("options", [(), ("--in-process",)])
def test_garbage_is_answered_and_the_server_lives(
    options: tuple[str, ...], root: Path, here: Machine
) -> None:
    host = here.host(root, *options).hello()
    for garbage, code in (
        (b"no json\n", -32700),
        (b"\xff\xfe\n", -32700),
        (b"[]\n", -32700),
        (b'{"jsonrpc":"2.0","method":"x","params":"' + b"x" * (5 << 20) + b'"}\n', -32600),
    ):
        host.raw(garbage)
        answer = host.line()
        assert (answer["id"], answer["error"]["code"]) == (None, code), garbage[:20]
    host.raw(b"\n \n")
    assert host.call("search", query="clearance")["ok"] is True
    assert host.ask("no/such/method")["error"]["code"] == -32601
    assert host.end() == 0


@pytest.mark.parametrize("options", [(), ("--in-process",)])
def test_calls_that_are_piped_in_are_answered_before_the_end(
    options: tuple[str, ...], root: Path, here: Machine
) -> None:
    here.host(root, *options).hello().call("ingest")
    host = here.host(root, *options)
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "status", "arguments": {}}},
    ]
    host.raw("".join(json.dumps(line) + "\n" for line in lines).encode())
    assert host.end(10) == 0
    assert host.process.stdout is not None
    answers = [json.loads(line) for line in host.process.stdout.read().splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["ok"] is True


def test_nothing_but_messages_reaches_stdout(root: Path, here: Machine) -> None:
    """Prints of our own and of children land on stderr, whoever makes them."""
    code = (
        "import os, subprocess, sys\n"
        "from m1nd.adapters.mcp import in_process, service\n"
        "before = service.answer\n"
        "def noisy(*args):\n"
        "    print('loud')\n"
        "    sys.stdout.flush()\n"
        "    subprocess.run(['echo', 'louder'])\n"
        "    os.write(1, b'loudest\\n')\n"
        "    return before(*args)\n"
        "service.answer = noisy\n"
        "from m1nd.adapters.mcp import relay\n"
        f"sys.exit(in_process.run_in_process({str(root)!r}, relay.hello({{}}, os.environ), os.environ))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=root,
        env=here.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    from tests.support.relay import Host

    host = Host(process)
    here.started.append(host)
    assert host.hello().call("search", query="clearance")["ok"] is True
    assert host.end() == 0
    assert process.stderr is not None
    words = process.stderr.read()
    assert b"loud\n" in words
    assert b"louder\n" in words
    assert b"loudest\n" in words


def test_many_agents_at_once_lose_no_event(root: Path, here: Machine) -> None:
    hosts = [here.host(root, M1ND_AGENT=f"agent {n}").hello() for n in range(4)]
    plans = {}
    for turn in range(5):
        for number, host in enumerate(hosts):
            plan = json.dumps({"files": [{"path": f"notes/{number}-{turn}.md", "content": "tide\n"}]})
            host.send(
                {
                    "jsonrpc": "2.0",
                    "id": f"{number}-{turn}",
                    "method": "tools/call",
                    "params": {"name": "edit_preview", "arguments": {"plan": plan}},
                }
            )
        for number, host in enumerate(hosts):
            answer = host.line()
            assert answer["id"] == f"{number}-{turn}"
            envelope = answer["result"]["structuredContent"]
            assert envelope["ok"], envelope
            plans[answer["id"]] = envelope["data"]["preview_id"]
    for key, plan in plans.items():
        host = hosts[int(key.partition("-")[0])]
        assert host.call("edit_commit", preview_id=plan, confirm=True, verify="none")["ok"], key
    assert len(list((root / "notes").iterdir())) == 20
    topics = {row["topic"]: row["events"] for row in here.m1nd(root, "audit", "topics")["data"]["topics"]}
    assert (topics["edit_previewed"], topics["edit_committed"]) == (20, 20)
    assert here.m1nd(root, "audit", "verify")["ok"] is True
    assert here.m1nd(root, "projections", "rebuild", "--check")["ok"] is True


def test_coming_and_going_leaves_nothing_behind(root: Path, here: Machine) -> None:
    here.host(root).hello().end()
    (owner,) = here.owners()
    until(lambda: here.owner(root)["clients"] == 0)
    before = len(list(Path(f"/proc/{owner}/fd").iterdir()))
    for _ in range(10):
        assert here.host(root).hello().end() == 0
    until(lambda: here.owner(root)["clients"] == 0)
    until(lambda: len(list(Path(f"/proc/{owner}/fd").iterdir())) <= before)


def test_an_idle_owner_uses_next_to_no_processor_time(root: Path, here: Machine) -> None:
    host = here.host(root).hello()
    host.call("ingest")
    (owner,) = here.owners()
    time.sleep(0.5)

    def used() -> float:
        words = Path(f"/proc/{owner}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    before = used()
    time.sleep(5)
    assert used() - before <= 0.03  # the clock ticks in hundredths: 0.1 % of 5 s is below one tick


def test_the_relay_imports_the_standard_library_and_nothing_heavy() -> None:
    code = (
        "import sys, m1nd.adapters.mcp.relay\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), sep='\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[2] / "src")},
        capture_output=True,
        check=True,
        text=True,
    )
    foreign = set(done.stdout.split()) - set(sys.stdlib_module_names) - {"__main__", "m1nd"}
    assert not {name for name in foreign if not name.startswith("_")} - {"sitecustomize", "usercustomize"}
    assert not {"asyncio", "json", "pathlib", "re", "subprocess", "click", "typing"} & set(
        done.stdout.split()
    )


@pytest.mark.parametrize("word", ["", "plain", 'a "quote" and \\', "ö 😀 \n\t\x00", "\ud800 lone"])
def test_the_hello_that_a_relay_writes_by_hand_is_json(word: str) -> None:
    line = relay.encoded({word: word, "yes": True, "no": False})
    assert line.endswith(b"\n")
    assert json.loads(line) == {word: word, "yes": True, "no": False}


@pytest.mark.parametrize(
    ("line", "options"),
    [
        (["mcp"], {}),
        (["--root", "x", "mcp", "--read-only"], {"--root": "x", "--read-only": "yes"}),
        (["mcp", "--tools=all"], {"--tools": "all"}),
        (["mcp", "--tools", "some"], None),
        (["search", "mcp"], None),
        (["mcp", "--help"], None),
        (["mcp", "mcp"], None),
        (["--root", "mcp"], None),
        (["mcp", "--in-process"], None),
    ],
)
def test_only_a_plain_line_is_answered_by_the_relay(line: list[str], options: dict[str, str] | None) -> None:
    assert relay.wanted(line) == options
