"""The product as it is installed: built from a copy of the repository, put into an environment of its own, run from there."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from m1nd import __version__

REPOSITORY = Path(__file__).resolve().parents[2]
PARTS = (
    "adapters",
    "application",
    "domain",
    "infrastructure",
    "src/m1nd",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    return subprocess.run(
        [str(part) for part in command],
        check=False,
        cwd=cwd,
        capture_output=True,
        text=True,
        env=environment,
        timeout=600,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `m1nd` command of an environment that holds the wheel, and nothing of this repository."""
    base = tmp_path_factory.mktemp("wheel")
    source, dist, home = base / "source", base / "dist", base / "env"
    for part in PARTS:
        origin, target = REPOSITORY / part, source / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            shutil.copytree(
                origin, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "target")
            )
        else:
            shutil.copy(origin, target)
    built = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, source, cwd=base)
    assert built.returncode == 0, built.stdout + built.stderr
    venv.create(home, with_pip=False, symlinks=True)
    (wheel,) = dist.glob("*.whl")
    assert list(dist.glob("*.tar.gz")), "the wheel is made from the source archive"
    python = home / "bin" / "python"
    installed_to = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=base)
    packages = Path(installed_to.stdout.strip())
    done = run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel, cwd=base)
    assert done.returncode == 0, done.stderr
    # The third-party packages come from the environment of the tests; a path in a .pth file brings no editable install along.
    (packages / "tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home / "bin" / "m1nd"


def test_the_installed_command_runs_outside_of_the_repository(installed: Path, tmp_path: Path) -> None:
    assert run(installed, "--version", cwd=tmp_path).stdout == f"m1nd {__version__}\n"
    code = "import m1nd.adapters.demo as d; print(d.__file__)"
    where = run(installed.parent / "python", "-c", code, cwd=tmp_path).stdout
    assert where.startswith(str(installed.parents[1]))


def test_the_demo_works_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "demo", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    answer = json.loads(done.stdout)["data"]
    assert answer["ok"] is True
    assert [step["ok"] for step in answer["steps"]] == [True] * len(answer["steps"])
    assert list(tmp_path.iterdir()) == []


def test_the_skills_come_with_the_package(installed: Path, tmp_path: Path) -> None:
    code = (
        "from m1nd.adapters.skills import SKILLS, text; print(*(len(text(name)) > 1000 for name in SKILLS))"
    )
    read = run(installed.parent / "python", "-c", code, cwd=tmp_path)
    assert (read.returncode, read.stdout.split()) == (0, ["True"] * 3), read.stderr
