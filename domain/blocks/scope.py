"""What a receipt is bound to: one version of one block (seed 001 §3, D18)."""

from attrs import frozen


@frozen
class BlockScope:
    """`resolution_hash` is sha256 over the sorted (role, file external id) pairs of the resolved members (D18)."""

    block_id: str
    boundary_version: int
    contract_version: int
    resolution_hash: str

    def differences(self, current: "BlockScope") -> tuple[str, ...]:
        """Every part that is not as in `current`, in the order of BLOCKS.md: block, boundary, contract, resolution."""
        parts = {
            "block": "block_id",
            "boundary": "boundary_version",
            "contract": "contract_version",
            "resolution": "resolution_hash",
        }
        return tuple(name for name, field in parts.items() if getattr(self, field) != getattr(current, field))
