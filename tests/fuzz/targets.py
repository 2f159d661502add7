"""Who is fed: each reader of files and lines, and each verb that reads."""

from __future__ import annotations

import copy
import gzip
import json
import lzma
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.checkpoint import read_checkpoint, write_checkpoint
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.follow import follow
from nomadspec.checkers.mutants.ledger import Ledger
from nomadspec.checkers.oracle.check import check_paths, judge_line, judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.corrupt import Corruption, corrupt_answer, list_answers, list_ids
from nomadspec.checkers.oracle.equivalence import find_row
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.oracle.paths import fits
from nomadspec.checkers.oracle.reading import find_file, parse_line, read_bytes
from nomadspec.checkers.oracle.registry import list_kinds, read_kind
from nomadspec.checkers.oracle.time_limit import TooLongError, patience
from nomadspec.checkers.replay.report import Told as Replayed
from nomadspec.checkers.replay.story import tell_story
from nomadspec.checkers.report.following import Followed
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.report.logs import read_log
from nomadspec.checkers.report.replaying import replay_file
from nomadspec.checkers.report.scenario import Played
from nomadspec.checkers.report.stories import data_of
from nomadspec.checkers.scenario.language import parse_lines, read_scenario
from nomadspec.checkers.scenario.play import list_statements, play_lines
from nomadspec.checkers.scheduling.case import read_case
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import EXIT_INTERNAL, InputError, NomadSpecError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model import Model
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.fuzz.answers import judge_damaged, make_answer
from tests.fuzz.calls import DOCS, call, make_call, watch
from tests.fuzz.findings import ANSWERED, Outcome, Told, tell_crash, tell_defect
from tests.fuzz.mutate import EXTREMES, damage, damage_bytes, is_loose, write_damaged
from tests.recorded import FOLDER, TRACES, find_recording_file, make_context

PATIENCE_S: Final = 20.0
"""What takes longer hangs."""

_LIMITS: Final = Limits(seconds=PATIENCE_S)
_SHARES: Final = {"state-store/sequences": 10, "blocked/sequences": 20, "broker/sequences": 20}
"""What costs ten times as much as others is fed less often."""
_MOST_BOUND: Final = 48
_BOUND: Final[dict[str, BoundedModel]] = {}
"""Models as stories asked for them."""
_MOST_RECORDINGS: Final = 60
"""So many recordings of a kind are damaged: the smallest of each stretch of the file, for they cost least."""
_STORIES: Final = DOCS / "findings"
_TRACE_FILES: Final = (
    "raft-log.ndjson",
    "raft-state.json",
    "final.json",
    "initial.json",
    "scenario.json",
    "events.ndjson",
)


def _is_a_moment_off(before: Any, after: Any) -> bool:
    return type(before) is type(after) is int and abs(after - before) == 1


MEANINGLESS: Final[tuple[tuple[str, str, Callable[[Any, Any], bool], str], ...]] = (
    (
        "broker/sequences",
        "ops[].t_ms",
        _is_a_moment_off,
        "a call a millisecond later or earlier is the same where no timeout lies between",
    ),
)
"""Kinds, places, which changes, and why a recording that is changed so may be accepted all the same."""

_TRACE: Final = "blocked_eligibility"
_FED_TO_BE_READY: Final = 8
_CLOCKED: Final = "broker/sequences"
"""Recordings that tell a clock in whole milliseconds."""
_SPOILED_CLOCKS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Input:
    """Something to feed: to whom, what, and whether it must not be accepted."""

    target: str
    content: bytes
    is_corrupted: bool = False
    trouble: Told = ANSWERED
    """What came of making it, for that asks the program too."""


@dataclass(frozen=True, slots=True)
class Target:
    """One reader or verb: what is made for it, and what it says of it."""

    name: str
    share: int
    """How often it is fed, against the others."""
    make: Callable[[Random], tuple[bytes, bool]]
    feed: Callable[[bytes, bool, Path], Told]


def feed(given: Input, place: Path) -> Told:
    """Feed an input to its target; whatever it raises is a finding."""
    if given.trouble.is_finding:
        return given.trouble
    target = find_target(given.target)
    try:
        with patience(PATIENCE_S * 1.5), _binding_once():
            return target.feed(given.content, given.is_corrupted, place)
    except TooLongError:
        return Told(Outcome.HANG, given.target)
    except Exception as error:  # noqa: BLE001 -- this is what is looked for
        return tell_crash(error)


# --- recordings -------------------------------------------------------------------------------------------


@cache
def _list_documents(name: str) -> list[Any]:
    path = (
        next((FOLDER / "scheduler").glob("*.ndjson.xz")) if name == "scheduler" else find_recording_file(name)
    )
    lines = [line for line in read_bytes(path, LIMITS) if isinstance(line, bytes)]
    many = max(1, len(lines) // _MOST_RECORDINGS)
    shortest = (min(lines[at : at + many], key=len) for at in range(0, len(lines), many))
    return [json.loads(line) for line in shortest]


@cache
def _list_answers(name: str, at: int) -> list[tuple[str, Any]]:
    return list_answers(name, _list_documents(name)[at])


def _make_recording(name: str, rng: Random) -> tuple[bytes, bool]:
    at = rng.randrange(len(_list_documents(name)))
    document = _list_documents(name)[at]
    if name == _CLOCKED and rng.random() < _SPOILED_CLOCKS:
        return json.dumps(spoil_clock(document, rng)).encode(), True
    if rng.random() < 0.1 and (answers := _list_answers(name, at)):
        path, value = rng.choice(answers)
        found = corrupt_answer(document, path, value, list_ids(document), seed=rng.randrange(10**6))
        sharp = [one for one in found if not _is_meaningless(name, one)]
        if sharp:
            return json.dumps(rng.choice(sharp).document).encode(), True
    return write_damaged(damage(document, rng), rng), False


def spoil_clock(document: Any, rng: Random) -> Any:
    """Let a recorded clock, which counts whole milliseconds, show something else, or go back."""
    spoiled = copy.deepcopy(document)
    operations = spoiled["ops"]
    at = rng.randrange(len(operations))
    operation, shown = operations[at], operations[at]["t_ms"]
    if "ns" in operation and rng.random() < 0.5:
        operation["ns"] += rng.choice((1, -1, 499_999, 500_000, rng.randrange(1, 10**6)))
        return spoiled
    before = operations[at - 1]["t_ms"] if at else 0
    earlier = [before - 1, -1, -shown - 1]  # a clock may show a later time, for not all attempts are recorded
    operation["t_ms"] = rng.choice(
        [*earlier, shown + 0.5, float(shown), str(shown), True, None, [shown], 1e3]
    )
    return spoiled


def _is_meaningless(name: str, one: Corruption) -> bool:
    """Tell whether a recording means the same after a change."""
    if find_row(name, one.path, one.before, one.after):
        return True
    return any(
        kind == name and fits(f"^{path}", one.path) and is_meant(one.before, one.after)
        for kind, path, is_meant, _ in MEANINGLESS
    )


def _judge_recording(name: str, content: bytes, is_corrupted: bool, _place: Path) -> Told:
    line = parse_line(content, "fuzz", 1)
    if isinstance(line, InputError):
        return ANSWERED
    context = Context(NOMAD_2_0, read_sibling=make_context(name).read_sibling, limits=_LIMITS)
    try:
        judgement = judge_line(read_kind(name), line, context)
    except NomadSpecError:
        return ANSWERED
    return _tell(judgement, is_corrupted=is_corrupted)


def _tell(judgement: Judgement, *, is_corrupted: bool) -> Told:
    if judgement.ruling is Ruling.DEFECT:
        return tell_defect(judgement.reason)
    if judgement.ruling is Ruling.UNDECIDED and "longer than" in judgement.reason:
        return Told(Outcome.HANG, judgement.family)
    if is_corrupted and judgement.ruling is Ruling.ACCEPTED:
        return Told(Outcome.WRONG, judgement.family)
    return ANSWERED


# --- files ------------------------------------------------------------------------------------------------


def _make_file(rng: Random) -> tuple[bytes, bool]:
    name = rng.choice(("constraints/operands", "gc/cases", "broker/sequences"))
    lines = [json.dumps(rng.choice(_list_documents(name))).encode() for _ in range(rng.randrange(1, 4))]
    lines.insert(rng.randrange(len(lines) + 1), write_damaged(damage({"id": "x"}, rng), rng))
    content = b"\n".join(lines)
    packed = rng.choice((bytes, bytes, gzip.compress, lzma.compress))(content)
    return damage_bytes(packed, rng), False


def _check_file(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    for ending in ("", ".gz", ".xz"):
        path = _write(place / "constraints" / f"operands.ndjson{ending}", content)
        for answer in check_paths([path], None, partial(Context, NOMAD_2_0, limits=_LIMITS)):
            if isinstance(answer, Judgement) and answer.ruling is Ruling.DEFECT:
                return tell_defect(answer.reason)
        path.unlink()
    return ANSWERED


@cache
def _read_trace_file(name: str) -> list[Any]:
    path = find_file(TRACES / _TRACE, name)
    assert path is not None
    content = lzma.decompress(path.read_bytes())
    return [json.loads(line) for line in content.splitlines()] if "ndjson" in name else [json.loads(content)]


def _make_trace(rng: Random) -> tuple[bytes, bool]:
    name = rng.choice(_TRACE_FILES)
    documents = list(_read_trace_file(name))
    at = rng.randrange(len(documents))
    lines = [json.dumps(document).encode() for document in documents]
    lines[at] = write_damaged(damage(documents[at], rng), rng)
    return name.encode() + b"\n" + b"\n".join(lines), False


def _judge_trace(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    name, _, damaged = content.partition(b"\n")
    folder = place / _TRACE
    for each in _TRACE_FILES:
        lines = [json.dumps(document) for document in _read_trace_file(each)]
        _write(folder / each, "\n".join(lines).encode())
    if name.decode() not in _TRACE_FILES:
        return ANSWERED
    _write(folder / name.decode(), damaged)
    try:
        told = _tell(judge_trace(folder, Context(NOMAD_2_0, limits=_LIMITS)), is_corrupted=False)
    except NomadSpecError:
        told = ANSWERED
    return told if told.is_finding else _answer(partial(_replay_trace, folder))


def _replay_trace(folder: Path) -> None:
    told = Replayed(tell_story(folder, Context(NOMAD_2_0, limits=_LIMITS)), shows_all=True)
    told.render()
    told.data()


@cache
def _list_stories() -> list[Any]:
    """List stories of the kernel, whose model takes long to load, and as many of a small one."""
    found = [json.loads(path.read_text()) for path in sorted(_STORIES.glob("*.json"))[:8]]
    hasty = find_model("2pc").at("hasty")
    small = [finding.story for finding in explore(hasty).findings if finding.story]
    return [*found, *[data_of(story, hasty, "2pc") for story in small] * len(found)]


@contextmanager
def _binding_once() -> Iterator[None]:
    """Bind a model to the same sizes once: stories differ seldom in what they are about."""
    bind = Model.at

    def bind_once(model: Model, *words: Any, **more: Any) -> BoundedModel:
        names = tuple(prop.name for prop in model.properties)
        key = repr((model.name, names, words, sorted((name, str(value)) for name, value in more.items())))
        if key not in _BOUND:
            while len(_BOUND) >= _MOST_BOUND:
                _BOUND.pop(next(iter(_BOUND)))
            _BOUND[key] = bind(model, *words, **more)
        return _BOUND[key]

    with patch.object(Model, "at", bind_once):
        yield


def _make_story(rng: Random) -> tuple[bytes, bool]:
    return write_damaged(damage(rng.choice(_list_stories()), rng), rng), False


def _replay_story(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    def ask() -> None:
        told = replay_file(_write(place / "story.json", content), _LIMITS)
        told.render()
        told.data("story.json")

    return _answer_strictly(content, ask)


def _schedule(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    try:
        case = read_case(_write(place / "call.ndjson", content), None, _LIMITS)
        case.run(with_reasons=True, profile=NOMAD_2_0)
    except TooLongError:
        raise
    except NomadSpecError as error:
        return tell_crash(error) if error.exit_code == EXIT_INTERNAL else ANSWERED
    return ANSWERED


# --- models ------------------------------------------------------------------------------------------------

_EXAMPLES: Final = DOCS / "how-to" / "examples"
_SCENARIOS: Final = DOCS / "scenarios"
_JOB: Final = {
    "ID": "web",
    "Name": "web",
    "Type": "service",
    "Datacenters": ["*"],
    "Update": {"MaxParallel": 1, "Canary": 1},
    "Constraints": [{"LTarget": "${attr.kernel.name}", "Operand": "=", "RTarget": "linux"}],
    "TaskGroups": [
        {"Name": "web", "Count": 2, "Tasks": [{"Name": "main", "Driver": "exec", "Resources": {"CPU": 100}}]}
    ],
}


def _answer(ask: Callable[[], object]) -> Told:
    """Ask; a sentence about the input is an answer, and one about this program is not."""
    try:
        ask()
    except TooLongError:
        raise
    except NomadSpecError as error:
        return tell_crash(error) if error.exit_code == EXIT_INTERNAL else ANSWERED
    return ANSWERED


def _answer_strictly(content: bytes, ask: Callable[[], object]) -> Told:
    """Ask about JSON; what has two meanings, or a number that is none, has to be refused."""
    told = _answer(ask)
    if told == ANSWERED and is_loose(content):
        with suppress(NomadSpecError):
            ask()
            return Told(Outcome.WRONG, "JSON with two meanings is taken")
    return told


@cache
def _list_words() -> tuple[str, ...]:
    texts = [path.read_text() for path in sorted(_SCENARIOS.rglob("*.scenario"))]
    forms = [f"{one.shown} {' '.join(one.options)}" for one in list_statements()]
    return tuple(sorted({word for text in (*texts, *forms) for word in text.split()}))


def _make_scenario(rng: Random) -> tuple[bytes, bool]:
    text = rng.choice([path.read_text() for path in sorted(_SCENARIOS.rglob("*.scenario"))])
    lines = ["register file job.json", *text.splitlines()] if rng.random() < 0.5 else text.splitlines()
    odd = [str(value) for value in EXTREMES]
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(lines))
        words = lines[at].split(" ")
        place = rng.randrange(len(words) + 1)
        words[place : place + rng.randrange(2)] = [rng.choice((*_list_words(), *odd))]
        lines[at] = " ".join(words)
    job = write_damaged(damage(_JOB, rng) if rng.random() < 0.7 else _JOB, rng).replace(b"\n", b" ")
    scenario = "\n".join(lines).encode(errors="surrogatepass")
    return job + b"\n" + (damage_bytes(scenario, rng) if rng.random() < 0.2 else scenario), False


def _play(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    job, _, scenario = content.partition(b"\n")
    written = _write(place / "job.json", job)
    path = _write(place / "f.scenario", scenario.replace(b"job.json", str(written).encode()))

    def ask() -> None:
        text = read_scenario(path)
        run = play_lines(parse_lines(text, str(path)), NOMAD_2_0, max_seconds=PATIENCE_S)
        played = Played(str(path), text.split("\n"), run)
        played.render()
        played.data()

    return _answer(ask)


@cache
def _bound_drain() -> BoundedModel:
    return load_model(f"{_EXAMPLES}/drain.py:DRAIN").at()


def _make_log(rng: Random) -> tuple[bytes, bool]:
    path = rng.choice((_EXAMPLES / "drain.ndjson", _EXAMPLES / "drain-wrong.ndjson"))
    lines = path.read_bytes().splitlines()
    at = rng.randrange(len(lines))
    lines[at] = write_damaged(damage(json.loads(lines[at]), rng), rng)
    content = b"\n".join(lines)
    return (damage_bytes(content, rng) if rng.random() < 0.2 else content), False


def _follow(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    path = _write(place / "log.ndjson", content)

    def ask() -> None:
        bounded = _bound_drain()
        report = follow(bounded, read_log(path, bounded, limits=_LIMITS), most_worlds=500)
        told = Followed(report, bounded, "drain.py:DRAIN", "")
        told.render()
        told.data()

    return _answer_strictly(content, ask)


def _make_ledger(rng: Random) -> tuple[bytes, bool]:
    head = {"schema": "nomadspec/mutants-ledger/1", "identity": "x"}
    entry = {"mutant": "m", "search": "s", "effect": "worlds", "names": ["a", "b"]}
    lines = [json.dumps(head).encode(), json.dumps(entry).encode()]
    at = rng.choice((0, 1, 1, 1))
    lines[at] = write_damaged(damage(entry if at else head, rng), rng)
    content = b"\n".join(lines) + b"\n"
    return (damage_bytes(content, rng) if rng.random() < 0.2 else content), False


def _resume_ledger(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    whole = content[: content.rfind(b"\n") + 1]  # a line without an end was not finished, and is dropped
    return _answer_strictly(whole, lambda: Ledger(_write(place / "ledger", content), "x").close())


@cache
def _make_search() -> tuple[Task, bytes]:
    task = make_task(find_model("2pc").at("small", profile="nomad-2.0"), None, "none", stops_at_first=True)
    search = Search(task)
    search.expand(20, 1 << 30)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kept"
        write_checkpoint(path, task, "x", search.explored)
        return task, path.read_bytes()


def _make_checkpoint(rng: Random) -> tuple[bytes, bool]:
    content = _make_search()[1]
    return damage_bytes(content, rng), False


def _resume(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    task, whole = _make_search()
    path = _write(place / "kept", content)

    def ask() -> None:
        read_checkpoint(path, task, "x").read()

    told = _answer(ask)
    if told == ANSWERED and content != whole:
        with suppress(NomadSpecError):
            ask()
            return Told(Outcome.WRONG, "a damaged checkpoint is read")
    return told


# --- verbs ------------------------------------------------------------------------------------------------

_VERBS: Final[tuple[tuple[str, ...], ...]] = (
    ("vectors", "check", "FILE", "--quiet"),
    ("vectors", "check", "FILE", "--json", "--quiet"),
    ("vectors", "show", "FILE", "ID"),
    ("vectors", "show", "FILE", "ID", "--all", "--json"),
    ("vectors", "refine", "FILE", "--quiet"),
    ("story", "STORY"),
    ("story", "STORY", "--json"),
    ("story", "STORY", "--dag", "mermaid"),
    ("story", "STORY", "--dag", "dot"),
    ("story", "STORY", "--dag", "graphml"),
    ("story", "STORY", "--export", "sequence"),
    ("story", "STORY", "--export", "itf"),
    ("story", "STORY", "--eval", "s", "--eval", "1 / 0", "--why-not", "X(a)", "--at", "1"),
    ("schedule", "CALL", "--why"),
    ("schedule", "CALL", "--json"),
    ("dag", "CALL", "--storms", "--json"),
    ("dag", "CALL", "--format", "mermaid"),
)


def _make_call(rng: Random) -> tuple[bytes, bool]:
    verb = rng.choice(_VERBS)
    name = rng.choice(("broker/sequences", "state-store/sequences", "constraints/operands", "gc/cases"))
    if "FILE" in verb:
        content = _make_recording(name, rng)[0]
    else:
        content = _make_story(rng)[0] if "STORY" in verb else _make_recording("scheduler", rng)[0]
    return json.dumps([name, *verb]).encode() + b"\n" + content, False


def _call_verb(content: bytes, _is_corrupted: bool, place: Path) -> Told:
    head, _, damaged = content.partition(b"\n")
    name, *verb = json.loads(head)
    path = _write(place / f"{name}.ndjson", damaged)
    words = {"FILE": str(path), "STORY": str(path), "CALL": str(path), "ID": _find_id(damaged)}
    return watch([words.get(word, word) for word in verb])


def _find_id(content: bytes) -> str:
    try:
        return str(json.loads(content).get("id", "line 1"))
    except (ValueError, AttributeError, RecursionError):
        return "line 1"


@cache
def _write_whole(place: Path) -> Mapping[str, Path]:
    """Write what command lines name, undamaged."""
    recordings = [_list_documents("gc/cases")[0], {"id": "odd", "thresholds": 1}]
    return {
        "RECORDINGS": _write_lines(place / "gc" / "cases.ndjson", *recordings),
        "STORY": _write_lines(place / "story.json", _list_stories()[-1]),
        "CALL": _write_lines(place / "call.ndjson", _list_documents("scheduler")[0]),
        "TRACE": TRACES / "alloc_stop",
        "SCENARIO": min(_SCENARIOS.rglob("*.scenario"), key=lambda path: path.stat().st_size),
    }


def _write_lines(path: Path, *documents: Any) -> Path:
    return _write(path, b"".join(json.dumps(one).encode() + b"\n" for one in documents))


def _write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def list_targets() -> tuple[Target, ...]:
    """List all targets; recordings are fed most, because they reach most of the model."""
    kinds = tuple(
        Target(name, _SHARES.get(name, 30), partial(_make_recording, name), partial(_judge_recording, name))
        for name in list_kinds()
        if name == "scheduler" or find_recording_file(name).exists()
    )
    return (
        *kinds,
        Target("file", 20, _make_file, _check_file),
        Target("story", 15, _make_story, _replay_story),
        Target("schedule", 10, partial(_make_recording, "scheduler"), _schedule),
        Target("trace", 2, _make_trace, _judge_trace),
        Target("scenario", 20, _make_scenario, _play),
        Target("log", 30, _make_log, _follow),
        Target("ledger", 20, _make_ledger, _resume_ledger),
        Target("checkpoint", 20, _make_checkpoint, _resume),
        Target("verb", 15, _make_call, _call_verb),
        Target("command", 15, make_call, lambda content, _, place: call(content, place, _write_whole(place))),
        Target("answer", 30, make_answer, lambda content, _is_corrupted, _place: judge_damaged(content)),
    )


@cache
def find_target(name: str) -> Target:
    """Find a target by its name."""
    return next(target for target in list_targets() if target.name == name)


@cache
def _weigh() -> tuple[tuple[str, ...], tuple[int, ...]]:
    targets = list_targets()
    return tuple(target.name for target in targets), tuple(target.share for target in targets)


def make_ready(only: str | None = None) -> None:
    """Read what inputs are made from, and feed each target, so that copies of this process have all that."""
    with TemporaryDirectory() as folder:
        for target in list_targets():
            if only in {None, target.name}:
                for number in range(_FED_TO_BE_READY):
                    content, is_corrupted = target.make(Random(number))
                    feed(Input(target.name, content, is_corrupted), Path(folder))
    for name in () if only else list_kinds():
        for at in range(len(_list_documents(name))):
            _list_answers(name, at)


def make_input(seed: int, number: int, only: str | None = None) -> Input:
    """Make the so many-th input of a seed: the same everywhere."""
    rng = Random(f"{seed}/{number}")
    names, shares = _weigh()
    name = only or rng.choices(names, shares)[0]
    try:
        content, is_corrupted = find_target(name).make(rng)
    except Exception as error:  # noqa: BLE001 -- this is what is looked for
        return Input(name, b"", trouble=tell_crash(error))
    return Input(name, content, is_corrupted)
