"""A mapping at work: packed worlds of the low model to packed worlds of the high one.

The interpreter maps once for each combination of the cells that the text reads, which is known from tracing.
The first worlds and a sample of the others are mapped again, so that a text which reads something else is
noticed. Its code is read before it runs, as that of rules is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, SupportsIndex

from nomadspec.checkers.refine.low_world_view import SeenFrame
from nomadspec.model.errors import ImpossibleError, ModelError
from nomadspec.model.language.answer_property import Duties
from nomadspec.model.language.comparison_checks import checking
from nomadspec.model.language.enum_members import expect_own_enum
from nomadspec.model.language.reading import remember_state
from nomadspec.model.language.stray_indexes import marking_strays, noting_strays
from nomadspec.model.language.term import Term
from nomadspec.model.language.trace import blaming
from nomadspec.model.language.world import Disabled

if TYPE_CHECKING:
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.refinement import Refinement
    from nomadspec.model.language.world import World

FIRST: Final = 128
"""So many worlds are mapped again at first."""
SAMPLE: Final = 61
"""One in so many worlds that were mapped before is mapped again."""


class Mapping:
    """Maps packed worlds; what leaves the domains of the high model is told as a text."""

    def __init__(
        self, refinement: Refinement, low: BoundedModel, high: BoundedModel, layouts: tuple[Layout, Layout]
    ) -> None:
        """Trace the text, which refuses what is not assigned or not in style."""
        self._refinement = refinement
        self._low = low
        self._high = high
        self._low_layout, self._high_layout = layouts
        self._duties = Duties(low.frame.intervals, low.cell_terms)
        held = remember_state({f"Mapping {refinement.name}": refinement.text})
        with checking(held.functions):
            self._mask = self._low_layout.mask(self._trace())
        held.expect_same()
        self._known: dict[int, int | str] = {}
        self._asked = 0

    def map(self, packed: int) -> int | str:
        """Give the high world that a low one is seen as, or say why it is none."""
        key = packed & self._mask
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._compute(packed)
            return found
        self._asked += 1
        if (self._asked <= FIRST or self._asked % SAMPLE == 0) and self._compute(packed) != found:
            raise ImpossibleError(
                f"The mapping {self._refinement.name} gives two answers for worlds that it reads alike."
            )
        return found

    def _compute(self, packed: int) -> int | str:
        seen = self._low_layout.unpack(packed)
        missing = self._duties.find_broken(seen)
        if missing is not None:
            return missing.removesuffix(".")
        cells = self._evaluate(seen)
        frame = self._high.frame
        for position, value in enumerate(cells):
            interval = frame.intervals[position]
            if not interval.admits(value):
                name = frame.cell_names[position]
                return f"{name} := {value!r} leaves its domain, {interval.low} .. {interval.high}"
        return self._high_layout.pack(cells)

    def _evaluate(self, cells: Cells) -> Cells:
        written = _Written(self._high.frame.first_cells())
        self._run(self._low.world(cells), written)
        return tuple(written)

    def _trace(self) -> frozenset[int]:
        """List the cells that the text reads."""
        low = self._low
        count = self._high.frame.cell_count
        with noting_strays() as strays:
            written = self._trace_writes()
        if strays:
            with marking_strays(low.cell_terms) as strays:
                marked = self._trace_writes()
            self._duties.note_text(f"Mapping {self._refinement.name}", (), marked, strays)
            self._duties.expect_possible()
        missing = [self._high.frame.cell_names[at] for at in range(count) if at not in written.places]
        if missing:
            raise ModelError(
                f"Mapping {self._refinement.name} ({self._refinement.file}:{self._refinement.line}): "
                f"it leaves {missing[0]} of {self._high.model.name} unset: assign every field of t."
            )
        self._expect_kinds()
        return self._duties.reads.union(*(v.reads for v in written[:count] if isinstance(v, Term)))

    def _trace_writes(self) -> _Written:
        written = _Written(self._high.frame.first_cells())
        self._run(self._low.world(self._low.cell_terms), written)
        return written

    def _expect_kinds(self) -> None:
        """Refuse to take an id of another set for one, and a status or member of another enum."""
        refinement, frame = self._refinement, self._high.frame
        seen = SeenFrame(self._low.frame)
        written = _Written(frame.first_cells())
        self._run(self._low.model.world(seen, seen.cells), written)

        with blaming(f"Mapping {refinement.name}", refinement.file, refinement.line):
            for name, interval, value in zip(frame.cell_names, frame.intervals, written, strict=False):
                expect_own_enum(name, interval.domain, value, seen.find_interval)

    def _run(self, s: World, written: _Written) -> None:
        refinement = self._refinement
        with blaming(f"Mapping {refinement.name}", refinement.file, refinement.line):
            guard: list[Value] = []
            t = self._high.model.world(self._high.frame, written, condition=True, guard=guard)
            try:
                told = refinement.text(s, t)
            except Disabled:
                guard.append(False)
                told = None
            if guard:
                raise ModelError("a mapping requires nothing: it only assigns to t.")
            if told is not None:
                raise ModelError("it returns or yields something: a mapping only assigns to t.")


class _Written(list["Value"]):
    """Cells of the high world that note which were assigned."""

    def __init__(self, cells: Cells | list[Value]) -> None:
        super().__init__(cells)
        self.places: set[int] = set()

    def __setitem__(self, place: SupportsIndex | slice, value: Value) -> None:
        """Assign, and note the place."""
        super().__setitem__(place, value)
        if not isinstance(place, slice):
            self.places.add(int(place))
