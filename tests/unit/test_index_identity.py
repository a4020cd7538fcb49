"""What became of items in edits made outside (D30): the same, recognised, or lost; never a guess."""

from m1nd.domain.index.identity import Fates, Sighting, body_print, fates
from m1nd.domain.symbols import Address


def seen(
    name: str, body: str = "b", module: str = "demo::a", ordinal: int = 0, telling: bool = True
) -> Sighting:
    return Sighting(Address(kind="fn", module=module, name=name, ordinal=ordinal), body, telling)


def at(name: str, module: str = "demo::a", ordinal: int = 0) -> Address:
    return Address(kind="fn", module=module, name=name, ordinal=ordinal)


def test_an_item_that_stays_has_no_fate_even_with_a_new_body() -> None:
    assert fates([seen("f", "old")], [seen("f", "new"), seen("g")]).is_empty


def test_an_item_moved_by_hand_is_recognised_by_name_and_body() -> None:
    found = fates([seen("f", "1"), seen("g", "2")], [seen("g", "2"), seen("f", "1", "demo::b")])
    assert found == Fates(((at("f"), at("f", "demo::b"), "name_and_body"),))


def test_a_renamed_item_is_recognised_by_its_body() -> None:
    assert fates([seen("f")], [seen("h")]) == Fates(((at("f"), at("h"), "body"),))


def test_a_body_that_says_little_recognises_nobody_under_another_name() -> None:
    found = fates([seen("f", telling=False)], [seen("h", telling=False)])
    assert found == Fates((), ((at("f"), "vanished"),))


def test_moved_and_rewritten_is_doubtful_and_so_lost() -> None:
    assert fates([seen("f", "1")], [seen("f", "2", "demo::b")]) == Fates((), ((at("f"), "doubtful"),))


def test_two_that_may_be_it_are_none() -> None:
    found = fates([seen("f")], [seen("f", module="demo::b"), seen("f", module="demo::c")])
    assert found == Fates((), ((at("f"), "doubtful"),))


def test_twins_keep_their_identity_when_one_goes() -> None:
    was = [seen("f", "1"), seen("f", "2", ordinal=1), seen("f", "3", ordinal=2)]
    now = [seen("f", "1"), seen("f", "3", ordinal=1)]
    assert fates(was, now) == Fates(
        ((at("f", ordinal=2), at("f", ordinal=1), "name_and_body"),), ((at("f", ordinal=1), "vanished"),)
    )


def test_the_print_of_a_body_knows_its_words_and_its_length() -> None:
    assert body_print("b a c", 9) == body_print("a b c", 9)
    assert body_print("a b c", 9)[0] != body_print("a b c", 10)[0]
    assert [body_print(text, 1)[1] for text in ("", "a b", "a b c")] == [False, False, True]


def test_a_member_goes_where_its_holder_is_recognised_whatever_its_body_says() -> None:
    def ship(name: str, body: str) -> list[Sighting]:
        holder = Sighting(Address(kind="struct", module="demo::a", name=name), "hull")
        member = Address(kind="fn", module=f"demo::a::{name}", name="mass")
        return [holder, Sighting(member, body, member=True)]

    found = fates(ship("Ship", "weigh Ship"), ship("Boat", "weigh Boat"))
    struct = [Address(kind="struct", module="demo::a", name=name) for name in ("Ship", "Boat")]
    mass = [Address(kind="fn", module=f"demo::a::{name}", name="mass") for name in ("Ship", "Boat")]
    assert found == Fates(((*struct, "body"), (*mass, "holder")))


def test_a_renamed_member_is_recognised_by_its_body_and_a_rewritten_one_is_lost() -> None:
    def member(name: str, body: str) -> Sighting:
        return Sighting(Address(kind="fn", module="demo::a::Ship", name=name), body, member=True)

    was, now = member("mass", "1"), member("weight", "1")
    assert fates([was], [now]) == Fates(((was.address, now.address, "body"),))
    assert fates([was], [member("weight", "2")]) == Fates((), ((was.address, "vanished"),))
