"""Laws of every move, over generated crates: planned or refused, only the intended changed, there and back is home."""

import re
from collections.abc import Mapping
from itertools import groupby

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.support.compiled import HAS_CARGO, check_tree, unused_imports
from tests.support.generated_crates import Crate, crates
from tests.support.moves import encoded, plan, workspace_of

from m1nd.domain.move.plan import MovePlan
from m1nd.domain.move.world import occurrences_in
from m1nd.domain.refusal import Refused
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
BUILT = settings(
    max_examples=24,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.generate],
)
LONG = settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MODIFIER = re.compile(r"\bpub(\([^)]*\))? ")
PATH = re.compile(r"(?:\b(?:crate|self|super)::)?(?:\b\w+::)*(?=\w)")
WORD = re.compile(r"\w+")
PARSER = TreeSitterParser()
needs_cargo = pytest.mark.skipif(not HAS_CARGO, reason="cargo is not on the path")


@st.composite
def questions(draw: st.DrawFn, nested: bool = False) -> tuple[Crate, str, str, str]:
    """A crate and a move: `(crate, item, its file, destination)`; every other time it is a fn."""
    crate = draw(crates(nested))
    fns = [i for i in crate.items if i[2] == "fn"]
    source, name, _ = draw(st.sampled_from(fns if fns and draw(st.booleans()) else crate.items))
    others = [p for p in crate.files if p != source]
    taken = {(path, other) for path, other, _ in crate.items}
    free = [p for p in others if (p, name) not in taken]
    dest = draw(st.sampled_from(free if free and draw(st.integers(0, 9)) else others))
    return crate, name, source, dest


def planned(files: Mapping[str, str], name: str, source: str, dest: str) -> MovePlan | None:
    """The plan; None when the move is refused. Any other error is a bug."""
    try:
        return plan(files, name, source, dest)
    except Refused as refused:
        assert refused.refusal.code and refused.refusal.message
        return None


def after(files: Mapping[str, str], found: MovePlan) -> dict[str, str]:
    return {**files, **{f.path: (f.after or b"").decode() for f in found.files}}


Key = tuple[str, str]


def items(text: str) -> dict[Key, str]:
    """Every top-level item but imports, by `(kind, name)` (of an impl its header): its text with what stands above it."""
    source = text.encode()
    facts = file_facts(source, PARSER)
    assert not facts.has_error
    found: dict[Key, str] = {}
    for item in facts.items:
        if item.parent == -1 and item.kind is not ItemKind.USE:
            key = (item.kind.value, item.name or item.detail)
            assert key not in found
            found[key] = source[item.extent_start : item.end].decode()
    return found


def rest(text: str) -> str:
    """What lies outside the items: comments, inner docs, imports left out, runs of blank lines as one."""
    source = text.encode()
    facts = file_facts(source, PARSER)
    kept, position = [], 0
    for item in facts.items:
        if item.parent == -1:
            kept.append(source[position : item.extent_start])
            position = item.end
    kept.append(source[position:])
    lines = b"".join(kept).decode().split("\n")
    return "\n".join(line for line, _ in groupby(lines) if line)


def loosely(texts: Mapping[Key, str]) -> dict[Key, str]:
    """The items without visibility, without the modules of paths and without their imports."""
    found = {}
    for key, text in texts.items():
        lines = [line for line in text.split("\n") if not line.strip().startswith("use ")]
        found[key] = PATH.sub("", MODIFIER.sub("", "\n".join(lines)))
    return found


def in_true_names(files: Mapping[str, str]) -> dict[str, str]:
    """The files, every path that an aliasing import brings into scope written by the name of what it means."""
    seen = workspace_of(encoded(files))
    found = {}
    for path, text in files.items():
        source = text.encode()
        renamed = {
            (o.segments[0].start, o.segments[0].end): seen.facts[o.via[0]].uses[o.via[1]]
            for o in occurrences_in(seen, path)
            if o.via is not None and o.role is not Role.USE
        }
        for (start, end), use in sorted(renamed.items(), reverse=True, key=lambda pair: pair[0]):
            if use.alias:
                source = source[:start] + use.path[-1].encode() + source[end:]
        found[path] = source.decode()
    return found


def certify(files: Mapping[str, str], found: MovePlan, source: str, dest: str) -> None:
    """Only the intended changed."""
    changed = after(files, found)
    moved = {(found.move.facts.items[i].kind.value, found.move.facts.items[i].name) for i in found.move.items}
    moved |= {
        ("impl", found.move.facts.items[i].detail)
        for i in found.move.items
        if found.move.facts.items[i].kind is ItemKind.IMPL
    }
    moved = {(k, n) for k, n in moved if n}
    names = {n for _, n in moved} | {d["name"] for d in found.receipt["deps_shared"]}
    assert set(found.receipt["files_changed"]) == {f.path for f in found.files}
    for path in files:
        before, now = items(files[path]), items(changed[path])
        gone = moved if path == source else set()
        come = moved if path == dest else set()
        assert set(now) == (set(before) - gone) | come
        for key in set(before) & set(now):
            if names.isdisjoint(WORD.findall(before[key])) and not before[key].startswith(
                "#[cfg(test)]\nmod"
            ):
                assert now[key] == before[key]
            assert loosely({key: now[key]}) == loosely({key: before[key]})
        assert rest(changed[path]) == rest(files[path])
    old, new = items(files[source]), items(changed[dest])
    assert loosely({k: new[k] for k in moved}) == loosely({k: old[k] for k in moved})


@given(questions())
@QUICK
def test_a_move_is_planned_or_refused_and_only_the_intended_changes(
    question: tuple[Crate, str, str, str],
) -> None:
    law_of_one_move(question)


@given(questions(nested=True))
@QUICK
def test_the_same_holds_in_nested_modules(question: tuple[Crate, str, str, str]) -> None:
    law_of_one_move(question)


@pytest.mark.soak
@given(st.booleans().flatmap(lambda nested: questions(nested)))
@LONG
def test_the_same_for_long(question: tuple[Crate, str, str, str]) -> None:
    law_of_one_move(question)


def law_of_one_move(question: tuple[Crate, str, str, str]) -> None:
    crate, name, source, dest = question
    found = planned(crate.files, name, source, dest)
    if found is None:
        return
    assert {f.path: f.before for f in found.files} == {
        f.path: crate.files[f.path].encode() for f in found.files
    }
    again = planned(dict(reversed(crate.files.items())), name, source, dest)
    assert again is not None and again.files == found.files and again.receipt == found.receipt
    certify(crate.files, found, source, dest)


@given(questions())
@QUICK
def test_there_and_back_is_home(question: tuple[Crate, str, str, str]) -> None:
    law_of_the_way_home(question)


@pytest.mark.soak
@given(st.booleans().flatmap(lambda nested: questions(nested)))
@LONG
def test_there_and_back_is_home_for_long(question: tuple[Crate, str, str, str]) -> None:
    law_of_the_way_home(question)


def law_of_the_way_home(question: tuple[Crate, str, str, str]) -> None:
    """Modulo visibility and imports, aliases among them, every item is where it was, and reads as it did."""
    crate, name, source, dest = question
    there = planned(crate.files, name, source, dest)
    if there is None:
        return
    middle = after(crate.files, there)
    back = planned(middle, name, dest, source)
    if back is None:
        return
    home, begun = after(middle, back), in_true_names(crate.files)
    for path, text in in_true_names(home).items():
        assert loosely(items(text)) == loosely(items(begun[path]))
        assert rest(home[path]) == rest(crate.files[path])


@needs_cargo
@pytest.mark.cargo
def test_planned_crates_build_and_nothing_new_is_unused(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Cargo's word, over every target: no error, and not one import more that nobody needs."""
    target = tmp_path_factory.mktemp("target")

    @given(st.booleans().flatmap(lambda nested: questions(nested)))
    @BUILT
    def built(question: tuple[Crate, str, str, str]) -> None:
        crate, name, source, dest = question
        found = planned(crate.files, name, source, dest)
        if found is not None:
            root = tmp_path_factory.mktemp("crate")
            before = check_tree(root, target, encoded(crate.files))
            assert unused_imports(
                check_tree(root, target, encoded(after(crate.files, found)))
            ) <= unused_imports(before)

    built()


def encodings(files: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The crate as other editors would save it."""
    return {
        "crlf": {p: t.replace("\n", "\r\n") for p, t in files.items()},
        "mark": {p: "\ufeff" + t for p, t in files.items()},
        "cut": {p: t.removesuffix("\n") for p, t in files.items()},
    }


@given(questions(), st.sampled_from(("crlf", "mark", "cut")))
@QUICK
def test_line_ends_marks_and_the_final_line_end_stay(question: tuple[Crate, str, str, str], how: str) -> None:
    """The move of a file saved in another way is the move, saved in that way."""
    crate, name, source, dest = question
    found = planned(crate.files, name, source, dest)
    other = planned(encodings(crate.files)[how], name, source, dest)
    assert (found is None) == (other is None)
    if found is not None and other is not None:
        expected = encodings(after(crate.files, found))[how]
        changed = after(encodings(crate.files)[how], other)
        if how == "cut":
            changed = encodings(changed)[how]
        assert changed == {p: t for p, t in expected.items() if t.strip("\ufeff")} | {
            p: t for p, t in changed.items() if not expected[p].strip("\ufeff")
        }
