"""Texts of rules that ask tables for what they have in scopes of every size, and others that do not."""

from typing import Final

from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt, upto
from nomadspec.model.language.logic import all_of, any_of, as_number, count, exists, ite, not_
from nomadspec.model.language.world import World, field, ids, index, queue, size, tally

MARKS: Final = 2


class Shelf(World):
    """Jobs with numbered records, and two marks."""

    jobs = ids("job", 1, "who works")
    most = size(1, "how many records can be made")
    records = index("record", most, "the records, in the order in which they were made")
    marks = index("mark", MARKS, "the marks")
    room = size(1, "a number of which nothing is known")
    made = field(counter(most), init=0, about="records made so far", budget=True)
    on = field(records, FLAG, init=False, about="the record is kept")
    lit = field(marks, FLAG, init=False, about="the mark is lit")
    at = field(upto(3), init=0, about="a number")
    last = field(opt(records), init=NONE, about="a record")
    own = field(jobs, opt(records), init=NONE, about="the record of a job")
    seen = field(jobs, FLAG, init=False, about="the job was seen")
    both = field(records, marks, FLAG, init=False, about="the record has the mark")
    line = queue(jobs, "who waits")
    held = tally(own, "the jobs that have a record")


def keep_the_next(s: Shelf, t: Shelf, job: Id) -> None:
    """The next record is kept."""
    t.on[s.made] = True
    t.made = s.made + 1


def keep_the_next_of_two(s: Shelf, t: Shelf, job: Id) -> None:
    """Two records are made, and the later one is kept."""
    t.on[s.made + 1] = True
    t.made = s.made + 2


def keep_one_now_and_then(s: Shelf, t: Shelf, job: Id) -> None:
    """A record is made only sometimes."""
    t.when(s.at == 1).on[s.made] = True
    t.when(s.at == 1).made = s.made + 1


def keep_what_the_scope_counts(s: Shelf, t: Shelf, job: Id) -> None:
    """A counter that passes its end is told as that."""
    t.on[s.made] = True
    t.made = s.made + 1


def keep_the_last(s: Shelf, t: Shelf, job: Id) -> None:
    """A record that a cell holds is kept."""
    t.on[s.last] = True
    t.on[s.own[job]] = s.on[s.last]


def keep_what_is_there(s: Shelf, t: Shelf, job: Id) -> None:
    """The guard says that there is such a record."""
    t.require(s.at < s.most)
    t.on[s.at] = True


def keep_if_it_is_there(s: Shelf, t: Shelf, job: Id) -> None:
    """A condition says so."""
    t.when(s.at < s.most).on[s.at] = True


def keep_all_but_the_first(s: Shelf, t: Shelf, job: Id) -> None:
    """Each record but the last has one behind it."""
    for i in s.records:
        t.when(i + 1 < s.most).on[i + 1] = True


def light_the_next_mark(s: Shelf, t: Shelf, job: Id) -> None:
    """Behind the last mark nothing is lit or looked at."""
    for i in s.marks:
        t.when(i + 1 < MARKS).lit[i + 1] = ite(i + 2 < MARKS, s.lit[i + 2], s.seen[job])


def light_what_a_guard_bounds(s: Shelf, t: Shelf, job: Id) -> None:
    """The guard says that there is a mark behind a number."""
    t.require(s.at + 1 < MARKS)
    t.lit[s.at + 1] = True


def stray_one_too_far(s: Shelf, t: Shelf, job: Id) -> None:
    """The guard says nearly so."""
    t.require(s.at < MARKS)
    t.lit[s.at + 1] = True
    t.at = s.at + 1


def stray_by_a_size(s: Shelf, t: Shelf, job: Id) -> None:
    """A size says which mark is lit."""
    t.lit[s.room] = True


def keep_what_was_not_kept(s: Shelf, t: Shelf, job: Id) -> None:
    """What a guard asks of a record does not matter where it says that there is none."""
    t.require(s.at < s.most, not_(s.on[s.at]))
    t.on[s.at] = True


def see_whether_one_behind_another_is_kept(s: Shelf, t: Shelf, job: Id) -> None:
    """What stands behind the last record does not matter."""
    t.seen[job] = exists(all_of(i + 1 < s.most, s.on[i + 1]) for i in s.records)
    t.at = ite(count(all_of(s.on[i], i + 1 < s.most, s.on[i + 1]) for i in s.records) > 2, 1, 0)


def move_all_records(s: Shelf, t: Shelf, job: Id) -> None:
    """Each record but the last gets what the one behind it has."""
    for i in s.records:
        t.when(i + 1 < s.most).on[i] = s.on[i + 1]
        t.when(any_of(i + 1 >= s.most, s.on[i + 1])).on[i] = ite(i + 2 < s.most, s.on[i + 2], s.seen[job])


def stray_behind_the_last(s: Shelf, t: Shelf, job: Id) -> None:
    """It matters what stands behind the last record alone."""
    t.seen[job] = exists(any_of(i + 1 < s.most, s.on[i + 1]) for i in s.records)


def stray_in_a_condition(s: Shelf, t: Shelf, job: Id) -> None:
    """It matters what stands behind the last record, although what is written is known."""
    for i in s.records:
        t.when(s.on[i + 1]).on[i] = True


def stray_by_the_second_of_two(s: Shelf, t: Shelf, job: Id) -> None:
    """The guard says of one number alone that there is such a place."""
    t.require(s.at < MARKS)
    t.seen[job] = s.both[s.at, s.at]


def stray_by_nobody_beside_a_record(s: Shelf, t: Shelf, job: Id) -> None:
    """Where there is much room, a plain NONE is all that is left of the choice."""
    t.on[ite(s.room > 1, NONE, s.own[job])] = True


def stray_by_nobody(s: Shelf, t: Shelf, job: Id) -> None:
    """No number means nobody."""
    t.lit[ite(s.seen[job], ite(s.at < MARKS, s.at, 0), NONE)] = True


def stray_behind_the_next(s: Shelf, t: Shelf, job: Id) -> None:
    """One record is made, and the one behind it is kept."""
    t.on[s.made + 1] = True
    t.made = s.made + 1


def stray_where_nothing_is_made(s: Shelf, t: Shelf, job: Id) -> None:
    """The record that would be made is kept, but never made."""
    t.on[s.made] = True


def stray_to_the_second(s: Shelf, t: Shelf, job: Id) -> None:
    """Two records are counted, but not asked for by the count."""
    t.on[1] = True
    t.made = s.made + 2


def stray_where_the_count_is_forgotten(s: Shelf, t: Shelf, job: Id) -> None:
    """The count is taken back in the end."""
    t.on[s.made] = True
    t.made = s.made + 1
    t.made = s.made


def stray_by_a_number(s: Shelf, t: Shelf, job: Id) -> None:
    """A number says which record is kept."""
    t.on[s.at] = True
    t.at = ite(s.at < 3, s.at + 1, 0)


def stray_behind_each(s: Shelf, t: Shelf, job: Id) -> None:
    """What is behind each record is kept, behind the last one too."""
    for i in s.records:
        t.on[i + 1] = True


def stray_behind_each_mark(s: Shelf, t: Shelf, job: Id) -> None:
    """What is behind each mark is lit, behind the last one too."""
    for i in s.marks:
        t.lit[i + 1] = True


def stray_to_the_first(s: Shelf, t: Shelf, job: Id) -> None:
    """There may be no first record."""
    t.on[0] = True


def stray_in_a_large_room(s: Shelf, t: Shelf, job: Id) -> None:
    """Only some scopes have so much room."""
    t.when(s.room > 1).lit[2] = True


def stray_in_sight_of_a_large_room(s: Shelf, t: Shelf, job: Id) -> None:
    """The same of what is read."""
    t.seen[job] = all_of(s.room > 1, s.lit[2])


def stray_in_a_guard(s: Shelf, t: Shelf, job: Id) -> None:
    """A guard that reads a record does not say that there is one."""
    t.require(not_(s.on[s.at]))
    t.on[s.at] = True


def stray_in_a_quantifier(s: Shelf, t: Shelf, job: Id) -> None:
    """Of each mark the next one is asked."""
    t.seen[job] = exists(s.lit[i + 1] for i in s.marks)


def stray_in_a_count(s: Shelf, t: Shelf, job: Id) -> None:
    """The records behind others are counted."""
    t.at = ite(count(s.on[i + 1] for i in s.records) > 2, 1, 0)


def stray_in_a_row(s: Shelf, t: Shelf, job: Id) -> None:
    """All jobs see what a number says."""
    for other in s.jobs:
        t.seen[other] = s.on[s.at]


def stray_in_a_tally(s: Shelf, t: Shelf, job: Id) -> None:
    """It is counted who has a record that a number says."""
    t.at = ite(s.held[s.at] > 0, 1, 0)


def stray_in_what_is_lost(s: Shelf, t: Shelf, job: Id) -> None:
    """Nobody knows whose turn is last, so that a proof forgets what is written."""
    for other in s.jobs:
        t.at = ite(s.on[s.at], 1, as_number(s.seen[other]))


def stray_among_jobs(s: Shelf, t: Shelf, job: Id) -> None:
    """A record is taken for a job."""
    t.seen[s.last] = True


def stray_into_a_line(s: Shelf, t: Shelf, job: Id) -> None:
    """A number waits in a line of jobs."""
    t.when(not_(s.line.has(s.at))).line.push(s.at)


def stray_into_a_table_of_its_own(s: Shelf, t: Shelf, job: Id) -> None:
    """A list has less than there are marks."""
    for i in s.marks:
        t.lit[i] = [True][i]


def stray_from_arithmetic(s: Shelf, t: Shelf, job: Id) -> None:
    """Python has no answer."""
    t.at = 1 // 0


def stray_with_a_list_that_is_too_long(s: Shelf, t: Shelf, job: Id) -> None:
    """There are two marks."""
    t.lit = (True, False, True)


def stray_with_a_row_over_another_set(s: Shelf, t: Shelf, job: Id) -> None:
    """Records are no marks."""
    t.lit = s.on


def stray_with_a_number_for_a_flag(s: Shelf, t: Shelf, job: Id) -> None:
    """Seen three times is no flag."""
    t.seen[job] = 3


def stray_too_deep(s: Shelf, t: Shelf, job: Id) -> None:
    """Marks have no parts."""
    t.lit[0, 1] = True


MAKING: Final = (
    keep_the_next,
    keep_the_next_of_two,
    keep_one_now_and_then,
    stray_behind_the_next,
    stray_where_nothing_is_made,
)
"""Texts that make records."""

SOUND: Final = (
    keep_what_was_not_kept,
    see_whether_one_behind_another_is_kept,
    move_all_records,
    keep_the_next,
    keep_the_next_of_two,
    keep_one_now_and_then,
    keep_what_the_scope_counts,
    keep_the_last,
    keep_what_is_there,
    keep_if_it_is_there,
    keep_all_but_the_first,
    light_the_next_mark,
    light_what_a_guard_bounds,
)
"""Texts that ask for what is there."""

STRAYING: Final = (
    stray_by_the_second_of_two,
    stray_by_nobody,
    stray_by_nobody_beside_a_record,
    stray_behind_the_last,
    stray_in_a_condition,
    stray_one_too_far,
    stray_by_a_size,
    stray_behind_the_next,
    stray_where_nothing_is_made,
    stray_to_the_second,
    stray_where_the_count_is_forgotten,
    stray_by_a_number,
    stray_behind_each,
    stray_behind_each_mark,
    stray_to_the_first,
    stray_in_a_large_room,
    stray_in_sight_of_a_large_room,
    stray_in_a_guard,
    stray_in_a_quantifier,
    stray_in_a_count,
    stray_in_a_row,
    stray_in_a_tally,
    stray_in_what_is_lost,
    stray_among_jobs,
    stray_into_a_line,
    stray_into_a_table_of_its_own,
    stray_from_arithmetic,
    stray_with_a_list_that_is_too_long,
    stray_with_a_row_over_another_set,
    stray_with_a_number_for_a_flag,
    stray_too_deep,
)
"""Texts that ask, in some scope, for what is not there."""
