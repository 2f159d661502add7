"""What a quirk says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quirk:
    """One named deviation: its ID, what happens, and what was intended instead."""

    id: str
    happens: str
    intended: str
    shipped: bool = True
    """Whether the release that the specification describes has it."""
    spec: tuple[str, ...] = ()
    """The rules that admit the deviation, where the ID does not lead to them."""

    def __str__(self) -> str:
        """Show the ID: it is what people type."""
        return self.id

    def __hash__(self) -> int:
        """Hash the ID, which no two share: profiles are asked for quirks at every step of a cluster."""
        return hash(self.id)
