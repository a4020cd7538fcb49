"""`m1nd token …`: what the owner lets a machine do (D25)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.stamps import with_stamp

if TYPE_CHECKING:
    from rich.console import Console


def register(group: click.Group) -> None:
    group.add_command(token)


@click.group("token")
def token() -> None:
    """Tokens that let CI import test receipts (in M1ND_TOKEN)."""


@token.command("create")
@click.option("--for", "purpose", required=True, type=click.Choice(["ci"]), help="Who will hold it.")
@click.option("--label", default="", help="What you will know it by.")
@verb("token_create")
def create(call: Call, purpose: str, label: str) -> Answer:
    """Make a token, with your stamp; it is shown this once."""
    from m1nd.application.use_cases import tokens
    from m1nd.domain.tokens import Purpose

    made = with_stamp(call, lambda: tokens.create(call.brain(), Purpose(purpose), label))

    def show(console: Console) -> None:
        console.print(made.secret, soft_wrap=True)
        console.print(
            f"\nshown this once; give it to {purpose} as {tokens.VARIABLE}. Take it back with: m1nd token revoke {made.id}",
            soft_wrap=True,
        )

    data = {"token_id": made.id, "purpose": made.purpose.value, "label": made.label, "token": made.secret}
    return Answer(data, show)


@token.command("list")
@verb("token_list")
def list_tokens(call: Call) -> Answer:
    """List the tokens of this repository, newest first."""
    rows = call.brain().views.tokens()

    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import one_line, table

        if not rows:
            console.print("no token yet")
            return
        shown = table("token", "for", "label", "created (UTC)", "revoked (UTC)")
        for row in rows:
            revoked = f"{row.revoked_at:%Y-%m-%d %H:%M}" if row.revoked_at else ""
            created = f"{row.created_at:%Y-%m-%d %H:%M}"
            shown.add_row(row.token_id, row.purpose, one_line(row.label), created, revoked)
        console.print(shown)

    data = [
        {
            "token_id": row.token_id,
            "purpose": row.purpose,
            "label": row.label,
            "created_at": row.created_at.isoformat(),
            "revoked_at": row.revoked_at.isoformat() if row.revoked_at else None,
        }
        for row in rows
    ]
    return Answer({"tokens": data}, show)


@token.command("revoke")
@click.argument("token_id", metavar="ID")
@verb("token_revoke")
def revoke(call: Call, token_id: str) -> Answer:
    """Take the right of a token away, at once."""
    from m1nd.application.use_cases.tokens import revoke as take_back

    gone = take_back(call.brain(), token_id)
    return Answer({"token_id": gone}, lambda console: console.print(f"{gone} is revoked"))
