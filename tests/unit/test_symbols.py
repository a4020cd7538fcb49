"""Identity of items: which item stands at an address, after moves, undos, outside edits and losses (D30)."""

from tests.support.log import MOON, SYMBOL, TIDE

from m1nd.domain.symbols import Address, Change, SymbolStep, SymbolTable, first_sight_id

QUAY = Address(kind="fn", module="harbour::quay", name="height")


def step(source: Address, target: Address | None, symbol: str = SYMBOL) -> SymbolStep:
    return SymbolStep(Change.LOST if target is None else Change.MOVED, symbol, source, target)


def test_an_id_depends_on_kind_module_name_and_ordinal() -> None:
    others = [
        TIDE,
        Address(kind="struct", module=TIDE.module, name=TIDE.name),
        MOON,
        Address(kind="fn", module=TIDE.module, name="depth"),
        Address(kind="fn", module=TIDE.module, name=TIDE.name, ordinal=1),
    ]
    assert len({first_sight_id(address) for address in others}) == len(others)
    assert first_sight_id(TIDE) == "sym_7add3c009984"  # a wire contract: ids are in logs


def test_parts_of_an_address_do_not_run_into_each_other() -> None:
    left = Address(kind="fn", module="a::b", name="c")
    right = Address(kind="fn", module="a", name="b::c")
    assert first_sight_id(left) != first_sight_id(right)


def test_an_item_keeps_its_id_where_it_goes() -> None:
    table = SymbolTable.fold([step(TIDE, MOON), step(MOON, QUAY)])
    assert table.id_at(QUAY) == SYMBOL
    assert table.home_of(SYMBOL) == QUAY


def test_a_newcomer_at_an_old_address_gets_an_id_of_its_own() -> None:
    table = SymbolTable.fold([step(TIDE, MOON)])
    newcomer = table.id_at(TIDE)
    assert newcomer != SYMBOL
    again = SymbolTable.fold([step(TIDE, MOON), step(TIDE, QUAY, newcomer)])
    assert len({again.id_at(TIDE), again.id_at(MOON), again.id_at(QUAY)}) == 3
    assert (again.id_at(MOON), again.id_at(QUAY)) == (SYMBOL, newcomer)


def test_an_undo_brings_the_id_home() -> None:
    table = SymbolTable.fold([step(TIDE, MOON), step(MOON, TIDE)])
    assert table.id_at(TIDE) == SYMBOL
    assert table.id_at(MOON) == first_sight_id(MOON)


def test_a_second_departure_after_an_undo_still_leaves_a_new_id_behind() -> None:
    table = SymbolTable.fold([step(TIDE, MOON), step(MOON, TIDE), step(TIDE, MOON)])
    assert table.id_at(MOON) == SYMBOL
    assert table.id_at(TIDE) not in (SYMBOL, table.id_at(MOON))


def test_a_lost_item_does_not_lend_its_id_to_the_next_one() -> None:
    table = SymbolTable.fold([step(TIDE, None)])
    assert table.id_at(TIDE) != SYMBOL
    assert table.home_of(SYMBOL) is None
    visitor_lost = SymbolTable.fold([step(TIDE, MOON), step(MOON, None)])
    assert visitor_lost.id_at(MOON) == first_sight_id(MOON)


def test_two_items_that_change_places_keep_their_ids() -> None:
    other = first_sight_id(MOON)
    table = SymbolTable.fold([step(TIDE, MOON), step(MOON, TIDE, other)])
    assert (table.id_at(MOON), table.id_at(TIDE)) == (SYMBOL, other)
    back = SymbolTable.fold(
        [step(TIDE, MOON), step(MOON, TIDE, other), step(MOON, TIDE), step(TIDE, MOON, other)]
    )
    assert (back.id_at(TIDE), back.id_at(MOON)) == (SYMBOL, other)


def test_an_address_reads_like_a_path() -> None:
    assert str(TIDE) == "fn harbour::tide::height"
    assert str(Address(kind="fn", module="c", name="f", ordinal=2)) == "fn c::f#2"
