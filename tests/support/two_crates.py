"""A workspace of two crates, `app` that depends on `words`, to move things between them."""

APP = """
//- Cargo.toml
[workspace]
resolver = "2"
members = ["app", "words"]
//- words/Cargo.toml
[package]
name = "words"
version = "0.1.0"
edition = "2021"
{words}
//- words/src/lib.rs
{lib}
//- app/Cargo.toml
[package]
name = "app"
version = "0.1.0"
edition = "2021"
{app}
[dependencies]
words = {{ path = "../words" }}
//- app/src/lib.rs
pub mod alpha;
{root}
//- app/src/alpha.rs
{alpha}
"""
"""`app` depends on `words`; the move goes from app/src/alpha.rs to words/src/lib.rs."""


def tree(alpha: str, root: str = "", lib: str = "", words: str = "", app: str = "") -> str:
    """The files as one text, for `before_after`. `words` and `app`: more lines of the manifests; `lib` and `root`: of the crate roots."""
    parts = {"alpha": alpha, "root": root, "lib": lib, "words": words, "app": app}
    return APP.format(**{name: text.rstrip("\n") for name, text in parts.items()})
