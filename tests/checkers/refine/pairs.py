"""Random pairs of small models with a mapping between them, and what a plain look at all steps says."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from nomadspec.model.language.domain import upto
from nomadspec.model.language.logic import Value, any_of, ite
from nomadspec.model.language.model import Model
from nomadspec.model.language.refinement import Refinement, refines
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.world import World, field

LOW, HIGH = 7, 4


class Below(World):
    """A place, and whether a lamp is lit that nobody above sees."""

    at = field(upto(LOW - 1), init=0, about="a place")


class Over(World):
    """A room: several places below may be in one."""

    room = field(upto(HIGH - 1), init=0, about="a room")


Moves = Mapping[int, int]


def make_rule(name: str, field_name: str, moves: Moves) -> Rule:
    def move(s: World, t: World) -> None:
        """Somebody moves."""
        here: Value = getattr(s, field_name)
        t.require(any_of(*(here == source for source in moves)))
        there: Value = here
        for source, target in moves.items():
            there = ite(here == source, target, there)
        setattr(t, field_name, there)

    move.__name__ = name
    return rule("M-1")(move)


@dataclass(frozen=True)
class Pair:
    """Two models as tables of moves, and the room in which each place is."""

    low: tuple[Moves, ...]
    high: tuple[Moves, ...]
    rooms: tuple[int, ...]
    steps: int

    def model(self) -> Model:
        rules = tuple(make_rule(f"low_{at}", "at", moves) for at, moves in enumerate(self.low))
        return Model("below", "places", Below, rules)

    def refinement(self) -> Refinement:
        rules = tuple(make_rule(f"high_{at}", "room", moves) for at, moves in enumerate(self.high))
        over = Model("over", "rooms", Over, rules)

        def seen(s: Below, t: Over) -> None:
            """The room in which the place is."""
            room: Value
            *others, room = self.rooms
            for place, one in enumerate(others):
                room = ite(s.at == place, one, room)
            t.room = room

        return refines(over, steps=self.steps)(seen)

    def find_failing(self) -> int | None:
        """Find after how many steps the first one is none of the other model; 0 for the first world."""
        if self.rooms[0] != 0:
            return 0
        level, seen, depth = {0}, {0}, 0
        while level:
            depth += 1
            moves = [(source, table[source]) for table in self.low for source in level if source in table]
            if any(not self.is_allowed(source, target) for source, target in moves):
                return depth
            level = {target for _, target in moves} - seen
            seen |= level
        return None

    def is_allowed(self, source: int, target: int) -> bool:
        rooms = {self.rooms[source]}
        for _ in range(self.steps):
            rooms |= {table[room] for table in self.high for room in rooms if room in table}
        return self.rooms[target] in rooms


def make_pair(seed: int) -> Pair:
    random = Random(seed)

    def draw(count: int, most: int) -> Moves:
        sources = random.sample(range(count), random.randint(1, most))
        return {source: random.randrange(count) for source in sources}

    low = tuple(draw(LOW, 4) for _ in range(random.randint(1, 4)))
    high = tuple(draw(HIGH, HIGH) for _ in range(random.randint(1, 4)))
    start = 0 if random.random() < 0.9 else random.randrange(HIGH)
    rooms = (start, *(random.randrange(HIGH) for _ in range(LOW - 1)))
    return Pair(low, high, rooms, random.choice((1, 1, 2, 3)))
