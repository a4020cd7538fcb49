"""The reverse gate: `cargo check` over a shadow of the workspace with the planned files in it (D29, D32)."""

from m1nd.infrastructure.verify.homes import remove_orphans, remove_shadow, shadow_home, shadows_folder
from m1nd.infrastructure.verify.verifier import CargoVerifier

__all__ = ["CargoVerifier", "remove_orphans", "remove_shadow", "shadow_home", "shadows_folder"]
