"""Which messages are new: compared as multisets without positions."""

from m1nd.infrastructure.verify.diagnostics import Diagnostic, added, read_diagnostic


def error(
    file: str, line: int = 1, code: str = "E0425", message: str = "cannot find value `x`"
) -> Diagnostic:
    return Diagnostic(file, line, 1, code, message)


def test_a_message_that_only_changed_its_line_is_not_new() -> None:
    assert added([error("a.rs", 3)], [error("a.rs", 9)], ()) == ()


def test_a_second_message_of_the_same_words_is_new() -> None:
    assert added([error("a.rs", 3)], [error("a.rs", 3), error("a.rs", 9)], ()) == (error("a.rs", 9),)


def test_the_same_words_in_another_file_are_new_unless_both_files_are_planned() -> None:
    before, after = [error("a.rs")], [error("b.rs")]
    assert added(before, after, ()) == (error("b.rs"),)
    assert added(before, after, {"b.rs"}) == (error("b.rs"),)
    assert added(before, after, {"a.rs", "b.rs"}) == ()


def test_a_moved_message_makes_room_for_one_only() -> None:
    after = [error("b.rs", 1), error("b.rs", 2)]
    assert added([error("a.rs")], after, {"a.rs", "b.rs"}) == (error("b.rs", 2),)


def test_positions_inside_a_message_do_not_count() -> None:
    before = error("a.rs", message="expected `{closure@src/a.rs:3:5: 3:8}`")
    after = error("a.rs", message="expected `{closure@src/a.rs:13:5: 13:8}`")
    assert added([before], [after], ()) == ()


def test_summaries_are_no_messages_and_a_message_without_a_place_names_the_root_file() -> None:
    for text in (
        "aborting due to 2 previous errors",
        "1 warning emitted",
        "12 warnings emitted; 1 error emitted",
    ):
        assert read_diagnostic({"message": text, "spans": []}, str, "src/lib.rs") is None
    found = read_diagnostic({"message": "no `main`", "code": None, "spans": []}, str, "src/main.rs")
    assert found == Diagnostic("src/main.rs", 0, 0, "", "no `main`")


def test_an_error_inside_a_foreign_macro_is_shown_where_the_macro_is_called() -> None:
    call = {"file_name": "src/a.rs", "line_start": 7, "column_start": 5, "expansion": None}
    span = {
        "file_name": "/rustc/abc/library/core/src/macros/mod.rs",
        "line_start": 1,
        "column_start": 1,
        "is_primary": True,
        "expansion": {"span": call},
    }
    found = read_diagnostic({"message": "mismatched", "code": {"code": "E0308"}, "spans": [span]}, str, "x")
    assert found == Diagnostic("src/a.rs", 7, 5, "E0308", "mismatched")
