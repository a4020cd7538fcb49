"""Contract templates: what each kind of block is usually asked for. They only pre-fill; the owner decides (seed 001 §4).

`runtime` is optional-neutral everywhere until a read-only signal exists (seed 001 §6).
"""

from types import MappingProxyType

from m1nd.domain.blocks.contract import Contract, Slot
from m1nd.domain.refusal import refuse

SPEC = Slot(type="spec", stales_on=("contract_change",))
STRUCTURAL = Slot(type="structural", stales_on=("member_change", "repaint"))
TEST = Slot(type="test", stales_on=("member_change",))
REVIEW = Slot(type="review", stales_on=("member_change",))
HANDOFF = Slot(type="handoff")
RUNTIME = Slot(type="runtime")

TEMPLATES = MappingProxyType(
    {
        "rust_core": Contract(required=(SPEC, STRUCTURAL, TEST), optional=(RUNTIME, REVIEW, HANDOFF)),
        "runtime_service": Contract(required=(SPEC, STRUCTURAL, TEST), optional=(RUNTIME, REVIEW, HANDOFF)),
        "ui": Contract(required=(SPEC, STRUCTURAL, TEST), optional=(REVIEW, HANDOFF)),
        "installer": Contract(required=(SPEC, TEST), optional=(REVIEW,)),
        "docs": Contract(required=(SPEC,), optional=(HANDOFF, REVIEW)),
    }
)


def template(name: str) -> Contract:
    """Raises Refused(usage) for a name that is none of TEMPLATES."""
    if name not in TEMPLATES:
        refuse("usage", f"no contract template is called {name!r}: {', '.join(TEMPLATES)}", template=name)
    return TEMPLATES[name]
