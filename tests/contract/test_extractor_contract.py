"""The extractor's contract on real crates: the facts of the full walk for every file, and every name among the tokens."""

import pytest
from tests.support.corpus import Pinned, Unusable, unpacked

from m1nd.domain.index.packed import unpack
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.files import unfit_reason
from m1nd.infrastructure.rust_source.extract import Extractor, whole_tokens
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

CRATES = [
    Pinned("ignore", "0.4.23"),
    Pinned("syn", "2.0.98"),
    Pinned("tokio", "1.43.0"),
    Pinned("regex-automata", "0.4.9"),
    Pinned("libc", "0.2.169"),
    Pinned("itertools", "0.14.0"),
]


def files_of(crate: Pinned) -> list[bytes]:
    try:
        root = unpacked(crate)
    except (Unusable, OSError) as reason:
        pytest.skip(f"{crate.name} cannot be had here: {reason}")
    found = [path.read_bytes() for path in sorted(root.rglob("*.rs"))]
    return [text for text in found if not unfit_reason(text)]


@pytest.mark.cargo
@pytest.mark.slow
@pytest.mark.parametrize("crate", CRATES, ids=lambda crate: crate.name)
def test_facts_equal_the_walk_on_every_file_that_parses(crate: Pinned) -> None:
    extractor, parser = Extractor(), TreeSitterParser()
    other_tokens = parsed = 0
    for source in files_of(crate):
        walked = file_facts(source, parser)
        packed = extractor.extract(source)
        if walked.has_error:
            continue
        parsed += 1
        assert unpack(packed) == walked
        whole = whole_tokens(source, walked)
        other_tokens += any(
            set(a.split()) != set(b.split()) for a, b in zip(packed.tokens, whole, strict=True)
        )
    assert parsed > 5
    # An attribute with a comment inside is lexed a little differently once that comment is cut.
    assert other_tokens <= parsed / 200


@pytest.mark.cargo
@pytest.mark.slow
def test_every_called_name_is_a_token_of_its_item() -> None:
    extractor, parser = Extractor(), TreeSitterParser()
    called = missed = 0
    for source in files_of(CRATES[0]):
        packed = extractor.extract(source)
        for node in _calls(parser.parse(source)):
            start, name = node
            holders = [
                i
                for i in range(len(packed.kinds))
                if packed.spans[7 * i + 1] <= start < packed.spans[7 * i + 2]
            ]
            tokens = packed.tokens[holders[-1] if holders else -1].split()
            called += 1
            missed += not any(t.rstrip("(").endswith(name) for t in tokens if t.endswith("("))
    assert called > 2000
    assert missed == 0


def _calls(root: object) -> list[tuple[int, str]]:
    """Position and last name of every call expression."""
    found = []
    todo = [root]
    while todo:
        node = todo.pop()
        if node.type == "call_expression":  # type: ignore[attr-defined]
            function = node.child_by_field_name("function")  # type: ignore[attr-defined]
            while function is not None and function.type in ("generic_function",):
                function = function.child_by_field_name("function")
            name = function
            if function is not None and function.type in ("scoped_identifier", "field_expression"):
                name = function.child_by_field_name("name") or function.child_by_field_name("field")
            if name is not None and name.type in ("identifier", "field_identifier"):
                found.append((name.start_byte, name.text.decode()))
        todo += node.children  # type: ignore[attr-defined]
    return found
