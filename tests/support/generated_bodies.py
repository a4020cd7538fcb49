"""Expressions of type `u32` that use an item of a generated crate, by the kind of the item."""


def expressions(spelled: str, kind: str, own: bool, methods: bool, home: str) -> tuple[str, ...]:
    """Texts with `x: u32` in scope. `own`: private members may be used; `methods`: the trait is in scope by its name.

    `home`: the path of the item's module.
    """
    if kind == "macro":
        return (f"{spelled}(x)", f"{spelled}{{x}}")
    if kind in ("const", "static"):
        found = (f"x ^ {spelled}", f"[{spelled}; 2][0]", f'format!("{{}}", {spelled}).len() as u32')
        return (*found, f"match x {{ {spelled} => 1, _ => 2 }}") if kind == "const" else found
    if kind == "type":
        return (f"{{ let y: {spelled} = x; y }}", f"x as {spelled}")
    if kind == "enum":
        return (
            f"match {spelled}::Two(x) {{ {spelled}::One => 1, {spelled}::Two(n) => n }}",
            f"{{ use {home}::{spelled.rsplit('::', 1)[-1]}::*; if let Two(n) = Two(x) {{ n }} else {{ let _ = One; 0 }} }}"
            if "::" in spelled
            else f"{{ let made = {spelled}::One; match made {{ {spelled}::One => x, _ => 0 }} }}",
        )
    if kind == "trait":
        name = spelled.rsplit("::", 1)[-1].lower()
        method = name if name in ("nudge", "orbit") else ""
        if not method:
            return ("x",)
        return (f"x.{method}()", f"{spelled}::{method}(x)") if methods else (f"{spelled}::{method}(x)",)
    if kind == "struct":
        found = (f"{spelled}::make(x).size", f"{{ let made: {spelled} = {spelled}::make(x); made.size }}")
        if not own:
            return (f"{{ let made: {spelled} = {spelled}::make(x); let _ = made; x }}",)
        return (*found, f"{spelled} {{ size: x, hidden: 2 }}.size", f"{spelled}::make(x).inside()")
    return (
        f"{spelled}(x)",
        f"[x].into_iter().map(|y| {spelled}(y)).sum::<u32>()",
        f"Some(x).map_or(0, |y| {{ let f = {spelled}; f(y) }})",
        f'format!("{{}}", {spelled}(x)).len() as u32',
        f"vec![{spelled}(x), 2][0]",
        f"{{ let amber = {spelled}(x); amber }}",
        f"{{ use {home}::{spelled.rsplit('::', 1)[-1]} as local; local(x) }}"
        if spelled.startswith(home)
        else "x",
    )
