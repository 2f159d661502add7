"""The classics once more, in plain Python: nothing here knows the package, so its counts can be compared.

Each function gives the first worlds, and what can happen in a world: a list with one entry for each step.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

World: TypeAlias = Any
Steps: TypeAlias = Callable[[World], Iterable[World]]


@dataclass(frozen=True)
class Plain:
    """A protocol: its first worlds, its steps, and what must never be (of a world, or of a step)."""

    first: list[World]
    steps: Steps
    is_wrong: Callable[[World], bool] = lambda _: False
    is_wrong_step: Callable[[World, World], bool] = lambda _, __: False
    is_goal: Callable[[World], bool] = lambda _: False


@dataclass
class Counted:
    """What a search saw: counts, and how many steps the shortest stories have."""

    distinct: int
    generated: int
    depth: int
    wrong: int | None
    goal: int | None
    stuck: int | None


def count(plain: Plain) -> Counted:
    """Visit every world, level by level."""
    far: dict[World, int] = dict.fromkeys(plain.first, 0)
    level, found = list(far), Counted(0, len(far), 0, None, None, None)
    while level:
        following = []
        for world in level:
            here = far[world]
            steps = list(plain.steps(world))
            found.generated += len(steps)
            found.wrong = _first(found.wrong, here, is_so=plain.is_wrong(world))
            found.goal = _first(found.goal, here, is_so=plain.is_goal(world))
            found.stuck = _first(found.stuck, here, is_so=not steps)
            for after in steps:
                found.wrong = _first(found.wrong, here + 1, is_so=plain.is_wrong_step(world, after))
                if after not in far:
                    far[after] = here + 1
                    following.append(after)
        level = following
    found.distinct, found.depth = len(far), 1 + max(far.values())
    return found


def _first(known: int | None, here: int, *, is_so: bool) -> int | None:
    return here if is_so and (known is None or here < known) else known


def put(cells: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Give the cells with another value in one place."""
    return (*cells[:place], value, *cells[place + 1 :])


def hanoi(discs: int, *, careless: bool = False) -> Plain:
    def steps(on: World) -> Iterable[World]:
        for disc, peg in product(range(discs), range(3)):
            smaller = on[:disc]
            if on[disc] != peg and on[disc] not in smaller and (careless or peg not in smaller):
                yield put(on, disc, peg)

    def is_wrong(before: World, after: World) -> bool:
        return any(
            a != b and b in after[:disc] for disc, (a, b) in enumerate(zip(before, after, strict=True))
        )

    return Plain([(0,) * discs], steps, is_wrong_step=is_wrong, is_goal=lambda on: set(on) == {2})


def die_hard() -> Plain:
    def steps(world: World) -> Iterable[World]:
        small, big = world
        into_big, into_small = min(small, 5 - big), min(big, 3 - small)
        yield from [(3, big), (small, 5), (0, big), (small, 0)]
        yield from [(small - into_big, big + into_big), (small + into_small, big - into_small)]

    return Plain([(0, 0)], steps, is_goal=lambda world: world[1] == 4)


def missionaries(*, forgetful: bool = False) -> Plain:
    def is_eaten(m: int, c: int) -> bool:
        return 0 < m < c

    def steps(world: World) -> Iterable[World]:
        m, c, over = world
        for dm, dc in product(range(3), range(3)):
            nm, nc = (m - dm, c - dc) if over else (m + dm, c + dc)
            if not 1 <= dm + dc <= 2 or not (0 <= nm <= 3 and 0 <= nc <= 3):
                continue
            banks = [is_eaten(nm, nc), is_eaten(3 - nm, 3 - nc)]
            arrival = banks[1] if over else banks[0]
            if not arrival and (forgetful or not any(banks)):
                yield (nm, nc, not over)

    return Plain(
        [(0, 0, False)],
        steps,
        is_wrong=lambda w: is_eaten(w[0], w[1]) or is_eaten(3 - w[0], 3 - w[1]),
        is_goal=lambda w: w == (3, 3, True),
    )


def philosophers(count: int, *, stubborn: bool = False) -> Plain:
    def steps(world: World) -> Iterable[World]:
        moods, forks = world
        for seat in range(count):
            left, right = seat, (seat + 1) % count
            first, second = (left, right) if stubborn else sorted((left, right))
            if moods[seat] == "thinks":
                yield put(moods, seat, "hungry"), forks
            if moods[seat] == "hungry" and forks[first] is None:
                yield moods, put(forks, first, seat)
            if forks[first] == seat and forks[second] is None:
                yield put(moods, seat, "eats"), put(forks, second, seat)
            if moods[seat] == "eats":
                yield put(moods, seat, "thinks"), put(put(forks, left, None), right, None)

    return Plain([(("thinks",) * count, (None,) * count)], steps)


def peterson(*, hasty: bool = False) -> Plain:
    def steps(world: World) -> Iterable[World]:
        at, wants, turn = world
        for me, other in ((0, 1), (1, 0)):
            says, yields = (at, put(wants, me, True), turn), (at, wants, other)
            if at[me] == 0:
                _, new_wants, new_turn = yields if hasty else says
                yield put(at, me, 1), new_wants, new_turn
            if at[me] == 1:
                _, new_wants, new_turn = says if hasty else yields
                yield put(at, me, 2), new_wants, new_turn
            if at[me] == 2 and (not wants[other] or turn == me):
                yield put(at, me, 3), wants, turn
            if at[me] == 3:
                yield put(at, me, 0), put(wants, me, False), turn

    return Plain([((0, 0), (False, False), 0)], steps, is_wrong=lambda w: w[0] == (3, 3))


def readers_writers(people: int, *, blind: bool = False) -> Plain:
    def steps(world: World) -> Iterable[World]:
        doing, line = world
        for person in range(people):
            if doing[person] == "":
                yield put(doing, person, "waits r"), (*line, person)
                yield put(doing, person, "waits w"), (*line, person)
            writing = "w" in doing
            if line[:1] == (person,) and not writing:
                wants = doing[person][-1]
                if wants == "r" or blind or "r" not in doing:
                    yield put(doing, person, wants), line[1:]
            if doing[person] in {"r", "w"}:
                yield put(doing, person, ""), line

    def is_wrong(world: World) -> bool:
        inside = [one for one in world[0] if one in {"r", "w"}]
        return "w" in inside and len(inside) > 1

    return Plain([(("",) * people, ())], steps, is_wrong=is_wrong)


def blocking_queue(producers: int, consumers: int, capacity: int, *, shared: bool = False) -> Plain:
    def steps(world: World) -> Iterable[World]:
        filled, *waits = world
        for kind, thread in [*((0, p) for p in range(producers)), *((1, c) for c in range(consumers))]:
            if waits[kind][thread]:
                continue
            change, is_blocked = (1, filled == capacity) if kind == 0 else (-1, filled == 0)
            if is_blocked:
                yield _waiting(world, kind, thread, is_waiting=True)
                continue
            after = (filled + change, *waits)
            room = [(k, x) for k in (0, 1) for x, w in enumerate(waits[k]) if w and (shared or k != kind)]
            yield from [_waiting(after, k, x, is_waiting=False) for k, x in room] or [after]

    first = (0, (False,) * producers, (False,) * consumers)
    return Plain([first], steps, is_wrong=lambda w: all(w[1]) and all(w[2]))


def _waiting(world: World, kind: int, thread: int, *, is_waiting: bool) -> World:
    return put(world, kind + 1, put(world[kind + 1], thread, is_waiting))


def alternating_bit(packets: int, *, ignorant: bool = False) -> Plain:
    def steps(world: World) -> Iterable[World]:
        bit, wanted, sent, received, data, receipt = world
        if sent < packets and data is None:
            yield bit, wanted, sent, received, (bit, sent), receipt
        if data is not None:
            yield bit, wanted, sent, received, None, receipt
        if data is not None and received <= packets:
            if ignorant or data[0] == wanted:
                yield bit, 1 - data[0], sent, received + 1, None, data[0]
            else:
                yield bit, wanted, sent, received, None, data[0]
        if receipt is not None:
            yield bit, wanted, sent, received, data, None
            is_right = receipt == bit
            yield (1 - bit if is_right else bit), wanted, sent + is_right, received, data, None

    return Plain(
        [(0, 0, 0, 0, None, None)],
        steps,
        is_wrong=lambda w: not w[2] <= w[3] <= w[2] + 1,
        is_wrong_step=lambda a, b: b[3] > a[3] and a[4][1] != a[3],
    )


def ewd840(count: int, *, unmarked: bool = False) -> Plain:
    colours = list(product((False, True), repeat=count))

    def steps(world: World) -> Iterable[World]:
        active, black, at, is_black = world
        if at == 0 and (is_black or black[0]):
            yield active, put(black, 0, False), count - 1, False
        if at > 0 and (not active[at] or black[at] or is_black):
            yield active, put(black, at, False), at - 1, is_black or black[at]
        for node in range(count):
            if active[node]:
                yield put(active, node, False), black, at, is_black
                for other in (other for other in range(count) if other != node):
                    marked = put(black, node, True) if other > node and not unmarked else black
                    yield put(active, other, True), marked, at, is_black

    def is_wrong(world: World) -> bool:
        active, black, at, is_black = world
        return at == 0 and not (is_black or black[0] or active[0]) and any(active)

    first = [(a, b, at, True) for a in colours for b in colours for at in range(count)]
    return Plain(first, steps, is_wrong=is_wrong)


def raft(servers: int, terms: int, restarts: int, *, forgetful: bool = False) -> Plain:
    def steps(world: World) -> Iterable[World]:
        term, role, voted, asked, votes, left = world
        for me in range(servers):
            if role[me] != "leader" and term[me] + 1 < terms:
                now = term[me] + 1
                new = (put(term, me, now), put(role, me, "candidate"), put(voted, me, me))
                yield *new, asked | {(me, now)}, votes | {(me, me, now)}, left
            if role[me] == "candidate" and sum((v, me, term[me]) in votes for v in range(servers)) >= 2:
                yield term, put(role, me, "leader"), voted, asked, votes, left
            if left:
                kept = put(voted, me, None) if forgetful else voted
                yield term, put(role, me, "follower"), kept, asked, votes, left - 1
            for candidate, now in sorted(asked):
                is_new = term[me] < now
                is_free = term[me] == now and voted[me] in {None, candidate}
                if me != candidate and (me, candidate, now) not in votes and (is_new or is_free):
                    new_role = put(role, me, "follower") if is_new else role
                    new = (put(term, me, now), new_role, put(voted, me, candidate))
                    yield *new, asked, votes | {(me, candidate, now)}, left

    def is_wrong(world: World) -> bool:
        led = [term for term, role in zip(world[0], world[1], strict=True) if role == "leader"]
        return len(led) != len(set(led))

    nothing = frozenset[Any]()
    first = ((-1,) * servers, ("follower",) * servers, (None,) * servers, nothing, nothing, restarts)
    return Plain([first], steps, is_wrong=is_wrong)


def paxos(acceptors: int, values: int, ballots: int, *, quorum: int = 2) -> Plain:  # noqa: C901 -- four kinds of step
    people = range(acceptors)

    def steps(world: World) -> Iterable[World]:
        asked, told, proposed, voted, met, last = world
        for b in range(ballots):
            if b not in asked:
                yield asked | {b}, told, proposed, voted, met, last
            for value, one, other in product(range(values), people, people):
                known = dict(told)
                if proposed[b] is not None or (one, b) not in known or (other, b) not in known:
                    continue
                latest = known[one, b] if known[one, b][0] >= known[other, b][0] else known[other, b]
                if len({one, other}) >= quorum and latest[1] in {None, value}:
                    yield asked, told, put(proposed, b, value), voted, met, last
            for a in people:
                if b in asked and met[a] < b:
                    yield asked, told | {((a, b), last[a])}, proposed, voted, put(met, a, b), last
                if proposed[b] is not None and met[a] <= b:
                    vote = (b, proposed[b])
                    yield asked, told, proposed, voted | {(a, b)}, put(met, a, b), put(last, a, vote)

    def is_wrong(world: World) -> bool:
        proposed, voted = world[2], world[3]
        chosen = {proposed[b] for b in range(ballots) if sum((a, b) in voted for a in people) >= 2}
        return len(chosen) > 1

    nothing = frozenset[Any]()
    first = (nothing, nothing, (None,) * ballots, nothing, (-1,) * acceptors, ((-1, None),) * acceptors)
    return Plain([first], steps, is_wrong=is_wrong)
