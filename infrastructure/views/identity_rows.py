"""The rows of the view `symbols`, and the table that they fold into. Imports no event: a quick look needs none."""

import sqlite3

from m1nd.domain.symbols import Address, Change, SymbolStep, SymbolTable


def symbol_table(c: sqlite3.Connection) -> SymbolTable:
    """The fold over all recorded steps."""
    return SymbolTable.fold(
        SymbolStep(
            Change(change),
            symbol_id,
            Address(kind=kind, module=module, name=name, ordinal=ordinal),
            None
            if target_kind is None
            else Address(kind=target_kind, module=target_module, name=target_name, ordinal=target_ordinal),
        )
        for (
            change,
            symbol_id,
            kind,
            module,
            name,
            ordinal,
            target_kind,
            target_module,
            target_name,
            target_ordinal,
        ) in c.execute(
            "SELECT change, symbol_id, source_kind, source_module, source_name, source_ordinal, target_kind, "
            "target_module, target_name, target_ordinal FROM symbol_steps ORDER BY position"
        )
    )
