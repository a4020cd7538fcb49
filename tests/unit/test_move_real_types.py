"""Types and traits that moved text has in its hands without naming them, as real crates have them."""

from tests.support.moves import moved


def test_a_private_trait_inside_the_type_of_a_field_is_raised_with_the_field() -> None:
    """syn: a struct literal fills `inner: Box<dyn Private>`."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "pub struct Iter { inner: Box<dyn Walk> }\ntrait Walk {}\nimpl Walk for u8 {}\n\n"
            "pub fn f() -> Iter { Iter { inner: Box::new(0) } }\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == (
        "pub struct Iter { pub(super) inner: Box<dyn Walk> }\npub(super) trait Walk {}\nimpl Walk for u8 {}\n"
    )
    assert after["src/b.rs"] == (
        "use crate::a::Iter;\n\npub fn f() -> Iter { Iter { inner: Box::new(0) } }\n"
    )


def test_a_private_trait_that_is_only_a_bound_stays_private() -> None:
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "trait Walk {}\nimpl Walk for u8 {}\npub(crate) fn g<T: Walk>(t: T) -> T { t }\n\npub fn f() -> u8 { g(0) }\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"].startswith("trait Walk {}\n")


def test_the_private_type_of_a_field_that_only_its_name_tells_is_raised() -> None:
    """minijinja: `Err(mut err) => err.repr.info = None`, where nothing tells the type of `err`."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "pub struct Error { repr: Box<Repr> }\nstruct Repr { info: Option<u8> }\n\n"
            "pub fn f(r: Result<u8, Error>) -> Result<u8, Error> {\n"
            "    match r {\n        Ok(v) => Ok(v),\n        Err(mut e) => {\n            e.repr.info = None;\n            Err(e)\n"
            "        }\n    }\n}\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == (
        "pub struct Error { pub(super) repr: Box<Repr> }\npub(super) struct Repr { pub(super) info: Option<u8> }\n"
    )


def test_a_field_that_gets_both_a_modifier_and_a_path_gets_the_modifier_first() -> None:
    """uuid: `pub struct Braced(Uuid);`, built by a method that stays, to a file where `Uuid` is taken."""
    files = {
        "src/lib.rs": "pub mod t;\npub mod a;\npub mod b;\n",
        "src/t.rs": "pub struct Uuid;\n",
        "src/a.rs": "use crate::t::Uuid;\n\npub struct Braced(Uuid);\n\npub fn braced(u: Uuid) -> Braced { Braced(u) }\n",
        "src/b.rs": "pub struct Uuid;\n",
    }
    after = moved(files, "Braced", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "pub struct Uuid;\n\npub struct Braced(pub(super) crate::t::Uuid);\n"


def test_a_field_that_only_the_body_of_a_called_macro_names_is_raised() -> None:
    """ron: `guard!(self)` becomes `self.limit`, in the moved text and in what stays."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "pub struct Walker { limit: u8 }\n\nmacro_rules! guard { ($w:expr) => { $w.limit -= 1 }; }\n\n"
            "pub fn f(mut w: Walker) { guard!(w); }\npub fn g(mut w: Walker) { guard!(w); }\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"].startswith("pub struct Walker { pub(super) limit: u8 }\n")


def test_a_functional_update_outside_the_moved_text_needs_every_field() -> None:
    """`Shown { a: 1, ..Default::default() }` where the type was: its other field is taken too."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "#[derive(Default)]\npub struct Shown { pub a: u8, map: u8, }\n\n"
            "pub fn make() -> Shown { Shown { a: 1, ..Default::default() } }\npub fn take(s: Shown) -> u8 { let Shown { a, .. } = s; a }\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "Shown", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "#[derive(Default)]\npub struct Shown { pub a: u8, pub(super) map: u8, }\n"


def test_a_functional_update_in_a_macro_s_body_needs_every_field() -> None:
    """chrono: `Parsed { $($k: Some($v),)* ..Parsed::new() }` in the macro of a test."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "#[derive(Default)]\npub struct Shown { pub a: u8, map: u8, }\n\npub fn make() -> Shown {\n"
            "    macro_rules! made { ($($k:ident: $v:expr),*) => { Shown { $($k: $v,)* ..Default::default() } } }\n"
            "    made!(a: 1)\n}\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "Shown", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "#[derive(Default)]\npub struct Shown { pub a: u8, pub(super) map: u8, }\n"


def test_a_field_is_shown_in_every_struct_that_conditions_choose_from() -> None:
    """combine: `BufReader` stands in `pin_project! { … }` under one feature, and by itself without it."""
    twins = (
        '#[cfg(feature = "pin")]\npin_project! {\n    pub struct Reader { buf: u8 }\n}\n\n'
        '#[cfg(not(feature = "pin"))]\npub struct Reader { buf: u8 }\n'
    )
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": f"{twins}\npub fn f(r: &mut Reader) {{ r.buf = 1; }}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == twins.replace("{ buf", "{ pub(super) buf")
