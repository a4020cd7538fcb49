"""The command line around the commands: global flags, envelope, errors, streams, start-up (PORTS.md, CLI)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from m1nd import __version__
from m1nd.adapters.cli import menu
from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.flags import BadFlag, split_flags
from m1nd.adapters.cli.program import run
from m1nd.adapters.cli.topics import EXITS
from m1nd.domain.codes import CODES, Exit
from m1nd.domain.refusal import refuse

PROBE = "tests_probe"


def _register(group: click.Group) -> None:
    @group.command("probe")
    @click.argument("what")
    @verb("probe")
    def probe(call: Call, what: str) -> Answer:
        """A command that ends in every way that a command can end."""
        if what == "refuse":
            refuse("symbol_not_found", "no `hieght` here", symbol="hieght")
        if what == "bug":
            raise RuntimeError("/secret/place/outside")
        if what == "disk":
            raise OSError(28, "No space left on device", "/secret/place/file.txt")
        if what == "stop":
            raise KeyboardInterrupt
        if what == "wrapped":
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt as stop:
                raise RuntimeError("Error calling __set_name__") from stop
        return Answer(
            {"what": what}, lambda console: console.print(f"it is {what}"), Exit.PARTIAL, ("careful",)
        )


@pytest.fixture(autouse=True)
def probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more command in the menu, with a module that exists only here."""
    module = type(sys)(PROBE)
    module.register = _register  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, PROBE, module)
    monkeypatch.setitem(menu.COMMANDS, "probe", menu.Entry(PROBE, "Probe", "for tests"))


def answer_of(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    streams = capsys.readouterr()
    assert streams.err == ""
    answer = json.loads(streams.out)
    assert isinstance(answer, dict)
    return answer


def test_an_answer_for_people_goes_to_stdout_and_its_warnings_to_stderr(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["probe", "well"]) == Exit.PARTIAL
    streams = capsys.readouterr()
    assert (streams.out, streams.err) == ("it is well\n", "warning: careful\n")


def test_quiet_silences_warnings_only(capsys: pytest.CaptureFixture[str]) -> None:
    run(["probe", "well", "--quiet"])
    streams = capsys.readouterr()
    assert (streams.out, streams.err) == ("it is well\n", "")


@pytest.mark.parametrize(
    "line", [["--json", "probe", "well"], ["probe", "--json", "well"], ["probe", "well", "--json"]]
)
def test_global_flags_stand_anywhere(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(line) == Exit.PARTIAL
    assert answer_of(capsys) == {
        "schema": "m1nd.probe/1",
        "ok": True,
        "data": {"what": "well"},
        "graph_rev": 0,
        "warnings": ["careful"],
    }


def test_a_refusal_is_message_and_next_step_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probe", "refuse"]) == Exit.NO
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err == "refused: no `hieght` here [symbol_not_found]\nnext: m1nd search hieght\n"


def test_a_refusal_in_the_envelope_has_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probe", "refuse", "--json"]) == Exit.NO
    assert answer_of(capsys) == {
        "schema": "m1nd.probe/1",
        "ok": False,
        "error": {
            "code": "symbol_not_found",
            "message": "no `hieght` here",
            "hint": "m1nd search hieght",
            "retryable": False,
            "details": {"symbol": "hieght"},
        },
        "graph_rev": 0,
        "warnings": [],
    }


def test_an_unknown_exception_is_a_bug_without_traceback_or_foreign_path(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["probe", "bug"]) == Exit.BUG
    streams = capsys.readouterr()
    assert streams.out == ""
    assert "bug: RuntimeError in " in streams.err
    assert "Traceback" not in streams.err
    assert "/secret" not in streams.err


def test_debug_shows_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probe", "bug", "--debug"]) == Exit.BUG
    assert "Traceback" in capsys.readouterr().err


def test_a_refusal_of_the_system_names_the_file_and_not_its_folder(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["probe", "disk"]) == Exit.NO
    assert "(`file.txt`): No space left on device [io_failed]" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["stop", "wrapped"])
def test_ctrl_c_ends_with_130(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["probe", what]) == 130
    assert "stopped" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["probes", "x"], "no such command: probes. Nearest: probe."),
        (["probe"], "Missing argument 'WHAT'."),
        (["probe", "x", "--nope"], "No such option '--nope'."),
        (["--color", "pink", "probe", "x"], "option --color takes one of auto, always, never"),
        (["probe", "x", "--root"], "option --root needs a value"),
    ],
)
def test_usage_errors_answer_in_the_envelope(
    line: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*line, "--json"] if line[-1] != "--root" else ["--json", *line]) == Exit.USAGE
    answer = answer_of(capsys)
    assert answer["ok"] is False
    error = answer["error"]
    assert isinstance(error, dict)
    assert error["code"] == "usage"
    assert str(error["message"]).startswith(message)


def test_what_follows_two_dashes_is_no_flag() -> None:
    rest, flags = split_flags(["search", "--json", "--", "--quiet", "--root"])
    assert rest == ["search", "--", "--quiet", "--root"]
    assert (flags.json, flags.quiet, flags.root) == (True, False, "")


def test_flags_with_values_take_both_forms() -> None:
    assert split_flags(["--root=a", "x"])[1].root == "a"
    assert split_flags(["x", "--root", "a"])[1].root == "a"
    with pytest.raises(BadFlag, match="needs a value"):
        split_flags(["--root", "--json"])


def test_no_command_shows_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == Exit.DONE
    page = capsys.readouterr().out
    assert all(f"  {name} " in page for name in menu.COMMANDS)


def test_every_exit_status_and_every_code_has_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(EXITS) == set(Exit)
    for code in CODES.values():
        assert run(["help", code.name]) == Exit.DONE
        assert code.meaning in capsys.readouterr().out
    assert run(["help", "codes"]) == Exit.DONE
    assert all(name in page for page in [capsys.readouterr().out] for name in CODES)


def test_the_version_in_both_forms(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == Exit.DONE
    assert capsys.readouterr().out == f"m1nd {__version__}\n"
    assert run(["--version", "--json"]) == Exit.DONE
    assert answer_of(capsys)["data"] == {"version": __version__}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == Exit.DONE
    assert "_M1ND_COMPLETE" in capsys.readouterr().out


def _python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
    )


def test_the_version_imports_nothing_but_the_package() -> None:
    code = (
        "import sys; before = set(sys.modules); sys.argv = ['m1nd', '--version']\n"
        "from m1nd.adapters.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted(set(sys.modules) - before))"
    )
    done = _python("-c", code)
    assert done.stdout.splitlines() == [
        f"m1nd {__version__}",
        "['m1nd', 'm1nd.adapters', 'm1nd.adapters.cli']",
    ]


def test_json_answers_import_no_renderer() -> None:
    code = (
        "import sys\nfrom m1nd.adapters.cli.program import run\nrun(['help', 'codes', '--json'])\n"
        "print([m for m in ('rich', 'pydantic', 'eventsourcing', 'tree_sitter') if m in sys.modules])"
    )
    assert _python("-c", code).stdout.splitlines()[-1] == "[]"


def test_completion_answers_the_shell() -> None:
    code = "from m1nd.adapters.cli.program import main; raise SystemExit(main([]))"
    done = _python("-c", code, _M1ND_COMPLETE="bash_complete", COMP_WORDS="m1nd comp", COMP_CWORD="1")
    assert done.stdout.strip() == "plain,completion"


def test_a_reader_that_leaves_ends_the_command_quietly(tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'from m1nd.adapters.cli import main; main()' help codes | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.replace("main()' help", "main()' help")],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("line", [["help", "codes"], ["config"], ["doctor"], ["config", "--json"]])
def test_a_reader_that_left_before_does_not_make_a_done_command_fail(tmp_path: Path, line: list[str]) -> None:
    (tmp_path / "Cargo.toml").write_text("[workspace]\n")
    read, write = os.pipe()
    os.close(read)
    code = "from m1nd.adapters.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, f"--root={tmp_path}", *line],
        check=False,
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_argument_that_is_no_text_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "probe", "\udcff"]) == Exit.USAGE
    error = answer_of(capsys)["error"]
    assert isinstance(error, dict)
    assert error["message"] == "the argument '\\udcff' holds what is no text in Unicode"
