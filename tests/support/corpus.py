"""Real crates to try moves on: pinned by name and version, fetched through cargo into a cache outside the repository.

A crate stands alone in its folder, compiles with `cargo check --all-targets --offline`, and is never changed here:
whoever tries something on it works on a copy. Cache: `$M1ND_CORPUS`, else `~/.cache/m1nd-corpus`.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

HEAVY = ("criterion", "trybuild", "codspeed", "divan", "iai", "snapbox", "tokio-test", "afl", "honggfuzz")
"""Dev-dependencies that only benches and snapshot tests need and that take minutes to build."""


@frozen
class Pinned:
    """`lean`: without its dev-dependencies, integration tests and examples, which cost more than they show.

    `amended`: `(pattern of files, text, instead)`, where today's compiler or the missing dev-dependencies ask for it.
    """

    name: str
    version: str
    features: tuple[str, ...] = ()
    lean: bool = False
    amended: tuple[tuple[str, str, str], ...] = ()


@frozen
class Entry:
    """One folder of the corpus: a crate, or several as the members of a workspace."""

    name: str
    members: tuple[Pinned, ...]


def _one(
    name: str,
    version: str,
    *features: str,
    lean: bool = False,
    amended: tuple[tuple[str, str, str], ...] = (),
) -> Entry:
    return Entry(name, (Pinned(name, version, features, lean, amended),))


CORPUS: tuple[Entry, ...] = (
    # edition 2015
    _one(
        "Inflector", "0.11.4", lean=True, amended=(("src/**/*.rs", "deny(warnings", "deny(unused_imports"),)
    ),
    _one("pulldown-cmark", "0.2.0", lean=True),
    _one("rustc-serialize", "0.3.25", lean=True),
    _one("xml-rs", "0.8.4", lean=True),
    _one("rustc-demangle", "0.1.28"),
    _one("getopts", "0.2.21", lean=True),
    # small libraries
    _one("semver", "1.0.28", lean=True),
    _one("textwrap", "0.16.4", lean=True),
    _one("httparse", "1.10.1", lean=True),
    _one("walkdir", "2.5.1"),
    _one("unicode-normalization", "0.1.26"),
    _one("unicode-segmentation", "1.13.3", lean=True),
    _one("snap", "1.1.2", lean=True),
    _one("num-integer", "0.1.47"),
    _one("bytecount", "0.6.9", lean=True),
    _one("roxmltree", "0.21.2"),
    _one("tempfile", "3.27.0"),
    _one("uuid", "1.29.3", "v4", "v5", lean=True),
    _one("ron", "0.12.3", lean=True),
    _one("yaml-rust2", "0.13.2", lean=True),
    _one("console", "0.16.6", lean=True),
    # no_std and numbers
    _one("libm", "0.2.16"),
    _one("ryu", "1.0.23", lean=True),
    _one("miniz_oxide", "0.9.1"),
    _one("num-bigint", "0.5.1"),
    _one("ttf-parser", "0.25.1", lean=True),
    _one("memchr", "2.8.3", lean=True),
    # codecs: many functions that call each other
    _one("unsafe-libyaml", "0.2.11", lean=True),
    _one("lz4_flex", "0.14.2", lean=True),
    _one("ruzstd", "0.9.1", lean=True),
    _one("image-webp", "0.2.4", lean=True),
    _one("jpeg-decoder", "0.3.2", lean=True),
    _one("zune-jpeg", "0.5.15"),
    _one("png", "0.18.1", lean=True),
    _one("rustybuzz", "0.20.1", lean=True),
    # macros, generics, derive
    _one("winnow", "1.0.5", lean=True),
    _one("nom", "8.0.0", lean=True),
    _one("combine", "4.6.9", lean=True),
    _one("itertools", "0.15.0", lean=True),
    _one("bitflags", "2.13.2", lean=True),
    _one("serde_derive", "1.0.229"),
    _one("prettyplease", "0.3.0", lean=True),
    _one(
        "syn",
        "3.0.10",
        "full",
        "visit",
        lean=True,
        amended=(("Cargo.toml", '"syn-test-suite/all-features"', ""),),
    ),
    _one("proc-macro2", "1.0.107", lean=True),
    _one("displaydoc", "0.2.7", lean=True),
    _one("cssparser", "0.38.0", lean=True),
    _one("minijinja", "3.1.0", lean=True),
    _one("serde_json", "1.0.154", lean=True),
    # large
    _one("chrono", "0.4.45", lean=True),
    _one("time", "0.3.55", "formatting", "parsing", "macros", lean=True),
    _one("jiff", "1.0.2", lean=True),
    _one("petgraph", "0.8.3", lean=True),
    _one("sqlparser", "0.64.0", lean=True),
    _one("wasmparser", "0.263.0", lean=True),
    _one("similar", "3.2.1", lean=True),
    _one("rayon-core", "1.13.0", lean=True),
    _one("nix", "0.32.0", "fs", "process", "signal", "net", lean=True),
    _one("cc", "1.11.3", lean=True),
    # programs
    _one("hexyl", "0.17.0", lean=True),
    _one("sd", "1.0.0", lean=True),
    _one("pastel", "0.12.0", lean=True),
    _one("du-dust", "1.2.7", lean=True),
    _one("just", "1.59.0", lean=True),
    # workspaces
    Entry(
        "url-family",
        (
            Pinned("url", "2.5.8", lean=True),
            Pinned("idna", "1.1.0", lean=True),
            Pinned("form_urlencoded", "1.2.2", lean=True),
            Pinned("percent-encoding", "2.3.2", lean=True),
        ),
    ),
    Entry(
        "regex-family",
        (
            Pinned("regex-automata", "0.4.19", lean=True),
            Pinned("regex-syntax", "0.8.12", lean=True),
            Pinned("aho-corasick", "1.1.5", lean=True),
        ),
    ),
    Entry(
        "toml-family",
        (
            Pinned("toml_edit", "0.25.20+spec-1.1.0", lean=True),
            Pinned("toml_parser", "1.1.6+spec-1.1.0", lean=True),
        ),
    ),
    Entry(
        "skia-family",
        (Pinned("tiny-skia", "0.12.0", lean=True), Pinned("tiny-skia-path", "0.12.0", lean=True)),
    ),
)


def _family(name: str, *members: tuple[str, ...]) -> Entry:
    """Members as `(name, version, features …)`. None is published any more: an item may leave what its crate shows."""
    amended = (("Cargo.toml", "[package]\n", "[package]\npublish = false\n"),)
    return Entry(
        name,
        tuple(Pinned(m, version, tuple(features), True, amended) for m, version, *features in members),
    )


FAMILIES: tuple[Entry, ...] = (
    _family(
        "gix-family",
        ("gix-actor", "0.44.1"),
        ("gix-date", "0.18.1"),
        ("gix-error", "0.5.2"),
        ("gix-fs", "0.24.1"),
        ("gix-hash", "0.28.1", "sha1"),
        ("gix-hashtable", "0.18.1"),
        ("gix-lock", "26.0.1"),
        ("gix-object", "0.66.1"),
        ("gix-path", "0.14.1"),
        ("gix-ref", "0.69.1"),
        ("gix-tempfile", "26.0.1"),
        ("gix-trace", "0.3.1"),
        ("gix-utils", "0.5.2"),
        ("gix-validate", "0.13.1"),
    ),
    _family(
        "ra-family",
        *((f"ra_ap_{name}", "0.0.349") for name in ("edition", "parser", "paths", "stdx", "syntax", "vfs")),
    ),
)
"""Workspaces made of crates that depend on each other, for moves between crates; each points at its siblings by path."""


@frozen
class Prepared:
    """A folder that compiles. `flags` are cargo's (targets, features); `dropped` names what did not compile here."""

    name: str
    folder: Path
    target: Path
    flags: tuple[str, ...]
    dropped: tuple[str, ...]


class Unusable(Exception):
    """The entry cannot be had or does not compile on this machine; the text says why."""


def cache() -> Path:
    return Path(os.environ.get("M1ND_CORPUS") or Path.home() / ".cache" / "m1nd-corpus")


ALL = ("--workspace", "--all-targets")
NO_TESTS = ("--workspace", "--lib", "--bins")
"""For crates whose own unit tests today's compiler refuses."""


def prepare(entry: Entry) -> Prepared:
    """The entry's folder in the cache, made when it is missing. Needs the network the first time. Raises Unusable."""
    folder = cache() / "crates" / entry.name
    target = cache() / "targets" / entry.name
    record = cache() / "crates" / f"{entry.name}.json"
    members = [f"{m.name}-{m.version}-{m.lean}-{'+'.join(m.features)}" for m in entry.members]
    told = json.loads(record.read_text()) if record.exists() else {}
    if told.get("members") != members:
        told = {"members": members, "flags": [], "dropped": [], "unusable": ""}
        try:
            told["flags"], told["dropped"] = _laid_out(entry, folder, target)
        except Unusable as reason:
            told["unusable"] = str(reason)
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(json.dumps(told))
    if told["unusable"]:
        raise Unusable(told["unusable"])
    return Prepared(entry.name, folder, target, tuple(told["flags"]), tuple(told["dropped"]))


def _features(entry: Entry) -> list[str]:
    wanted = [f"{m.name}/{f}" if len(entry.members) > 1 else f for m in entry.members for f in m.features]
    return ["--features", ",".join(wanted)] if wanted else []


def _laid_out(entry: Entry, folder: Path, target: Path) -> tuple[list[str], list[str]]:
    """`(flags, dropped)` of the first way that compiles: lean, with dev-dependencies, without unit tests."""
    lean = all(m.lean for m in entry.members)
    ways = [(False, ALL)] if lean else []
    ways += [(True, ALL), (False, NO_TESTS)]
    for number, (development, targets) in enumerate(ways):
        flags = [*targets, *_features(entry)]
        try:
            _lay_out(entry, folder, development)
            return flags, _make_compile(folder, target, flags)
        except Unusable:
            if number == len(ways) - 1:
                raise
    raise AssertionError("there is a last way")


def _lay_out(entry: Entry, folder: Path, development: bool) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    alone = len(entry.members) == 1
    siblings = {m.name for m in entry.members}
    for member in entry.members:
        place = folder if alone else folder / member.name
        shutil.copytree(
            _registry_source(member),
            place,
            ignore=shutil.ignore_patterns(".cargo*", "rust-toolchain*", "Cargo.lock", "*.orig"),
        )
        for path in place.rglob("*"):
            path.chmod(path.stat().st_mode | 0o200)
        for pattern, text, instead in member.amended:
            for path in sorted(place.glob(pattern)):
                path.write_text(path.read_text().replace(text, instead))
        _trim(place, member.lean, development, siblings - {member.name}, alone)
    if not alone:
        names = ", ".join(f'"{m.name}"' for m in entry.members)
        (folder / "Cargo.toml").write_text(f'[workspace]\nresolver = "2"\nmembers = [{names}]\n')


def unpacked(pinned: Pinned) -> Path:
    """The crate as cargo unpacked it, fetched when it is missing; to be read only. Raises Unusable."""
    return _registry_source(pinned)


def _registry_source(pinned: Pinned) -> Path:
    """The crate's sources as cargo unpacked them."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    found = sorted((home / "registry" / "src").glob(f"*/{pinned.name}-{pinned.version}"))
    if not found:
        with tempfile.TemporaryDirectory() as scratch:
            _throw_away(Path(scratch), pinned)
            done = cargo(Path(scratch), "fetch")
            if done.returncode:
                raise Unusable(f"cargo fetch {pinned.name}: {done.stderr.strip()[-300:]}")
        found = sorted((home / "registry" / "src").glob(f"*/{pinned.name}-{pinned.version}"))
    if not found:
        raise Unusable(f"{pinned.name}-{pinned.version} is not where cargo unpacks crates")
    return found[0]


def _throw_away(folder: Path, pinned: Pinned) -> None:
    version = pinned.version.partition("+")[0]
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").write_text("")
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "throw-away"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n'
        f'[dependencies.it]\npackage = "{pinned.name}"\nversion = "={version}"\n'
    )


def _trim(place: Path, lean: bool, development: bool, siblings: set[str], alone: bool) -> None:
    """Take benches and heavy dev-dependencies out of the manifest; make it stand alone; point at its siblings."""
    manifest = place / "Cargo.toml"
    gone = ["bench", *(["test", "example"] if lean else [])]
    kept: list[str] = []
    for header, body in sections(manifest.read_text()):
        name = header.strip("[]").strip()
        last = name.rsplit(".", 1)[-1].strip("\"'")
        dev = "dev-dependencies" in name
        if name in gone or name == "workspace" or (dev and (not development or last.startswith(HEAVY))):
            continue
        renamed = re.search(r'^package = "([^"]*)"', body, re.MULTILINE)
        package = renamed[1] if renamed else last
        if not dev and package in siblings and re.search(r"(^|\.)dependencies\.", name):
            body = f'path = "../{package}"\n{body}'
        kept.append(f"{header}\n{body}" if header else body)
    manifest.write_text("".join(kept) + ("\n[workspace]\n" if alone else ""))
    listed = "autoexamples = false" in manifest.read_text()
    for folder in ("benches", *(["tests", *([] if listed else ["examples"])] if lean else [])):
        shutil.rmtree(place / folder, ignore_errors=True)


def sections(text: str) -> Iterator[tuple[str, str]]:
    """`(header line, lines below it)` of a manifest as cargo normalises it; the first header is empty."""
    header, lines = "", []
    for line in text.splitlines(keepends=True):
        if line.startswith("["):
            yield header, "".join(lines)
            header, lines = line.strip(), []
        else:
            lines.append(line)
    yield header, "".join(lines)


def _make_compile(folder: Path, target: Path, flags: list[str]) -> list[str]:
    """Compile everything; targets that cannot be compiled here (missing files, closed features) are taken away."""
    done = cargo(folder, "fetch")
    if done.returncode:
        raise Unusable(f"cargo fetch: {done.stderr.strip()[-300:]}")
    dropped: list[str] = []
    for _ in range(4):
        done = cargo(
            folder,
            "check",
            "--offline",
            "--keep-going",
            "--message-format=json",
            *flags,
            target=target,
        )
        if done.returncode == 0:
            return dropped
        broken = set(_broken_targets(done.stdout))
        if not broken or any(kind not in ("test", "example", "bench", "bin") for kind, _ in broken):
            raise Unusable(f"does not compile: {done.stderr.strip()[-300:]}")
        for kind, source in sorted(broken):
            Path(source).unlink()
            dropped.append(f"{kind} {Path(source).name}")
            _forget(folder, Path(source))
    raise Unusable("does not compile even without its broken targets")


def _broken_targets(output: str) -> Iterator[tuple[str, str]]:
    for line in output.splitlines():
        told = json.loads(line) if line.startswith("{") else {}
        if told.get("reason") == "compiler-message" and told["message"]["level"] == "error":
            yield told["target"]["kind"][0], told["target"]["src_path"]


def _forget(folder: Path, source: Path) -> None:
    """Take the section of a deleted target out of its manifest."""
    for manifest in (folder / "Cargo.toml", *folder.glob("*/Cargo.toml")):
        kept = []
        for header, body in sections(manifest.read_text()):
            path = ""
            if header.startswith("[["):
                path = str(tomllib.loads(body).get("path", ""))
            if not path or (manifest.parent / path) != source:
                kept.append(f"{header}\n{body}" if header else body)
        manifest.write_text("".join(kept))


def cargo(
    folder: Path, *arguments: str, target: Path | None = None, timeout: float = 1200
) -> subprocess.CompletedProcess[str]:
    """Run cargo there. Raises subprocess.TimeoutExpired."""
    environment = {**os.environ, "CARGO_TERM_COLOR": "never"}
    if target is not None:
        environment["CARGO_TARGET_DIR"] = str(target)
    return subprocess.run(  # noqa: PLW1510  the caller reads the status
        ["cargo", *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout
    )
