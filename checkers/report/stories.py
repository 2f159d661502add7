"""Stories as files: JSON with the schema ``nomadspec/story/1``, described in docs/reference/json/story.json.

A file names the model as it was asked for, so that a replay finds it again; a path is relative to where the
command runs. The first world is written in full and compared when the story is read: a story of a model that
has changed since is refused instead of being replayed as something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.report.json_fields import Node, read_json, write_file
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.report.story_text import profile_data
from nomadspec.model.errors import InputError, UnknownNameError, UnreadableError, UsageError, suggest
from nomadspec.model.language.bounded import BoundedModel, find_start
from nomadspec.model.language.claim import keep_claimed, keep_taken
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.story import DEADLOCK, Application, Story
from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile

SCHEMA: Final = "nomadspec/story/1"

_WORD: Final = re.compile(r"[^\[\], ]+")

_FIELDS: Final = (
    "schema", "model", "scope", "sizes", "profile", "start", "first", "steps", "loop", "property", "case",
    "witnesses", "seed",
)  # fmt: skip


def data_of(story: Story, bounded: BoundedModel, reference: str) -> dict[str, object]:
    """Write a story as an object; ``reference`` is how the model was asked for."""
    start = story.start
    first = find_start(bounded, start.rule if start else None, start.arguments if start else {})
    return {
        "schema": SCHEMA,
        "model": reference,
        "scope": story.scope,
        "sizes": dict(story.sizes),
        "profile": profile_data(story.profile, reference),
        "start": _application_data(start) if start else None,
        "first": bounded.describe(first),
        "steps": [_application_data(step) for step in story.steps],
        "loop": story.loop,
        "property": story.property,
        "case": list(story.case),
        "witnesses": [list(names) for names in story.witnesses],
        "seed": story.seed,
    }


def write_story(path: Path, story: Story, bounded: BoundedModel, reference: str) -> None:
    """Write a story to a file."""
    content = write_json(data_of(story, bounded, reference), indent=2)
    write_file(path, f"{content}\n".encode())


def read_story(
    path: Path, limits: Limits = LIMITS, *, keeps_rules: bool = True
) -> tuple[Story, BoundedModel]:
    """Read a story and the bounded model in which it happens; an error says where it does not fit.

    Who only replays it needs no rules that it does not take: to load them takes most of the time.
    """
    root = read_json(path, limits)
    story = _read(root)
    bounded = _bound(root, story, keep_claimed if keeps_rules else keep_taken)
    _check_names(root, story, bounded)
    _check_first(root, story, bounded)
    return story, bounded


def _read(root: Node) -> Story:
    found = root.with_fields().optional("schema")
    if found is None or found.value != SCHEMA:
        shown = "none" if found is None else repr(found.value)
        hint = "`nomadspec explore --story-out FILE` writes such files"
        raise InputError(root.file, f"it is no story: schema should be {SCHEMA!r}, not {shown}", hint=hint)
    root.with_fields(*_FIELDS)
    profile, start = root.optional("profile"), root.optional("start")
    loop, seed = root.optional("loop"), root.optional("seed")
    claimed, case, witnesses = root.optional("property"), root.optional("case"), root.optional("witnesses")
    steps = tuple(_read_application(node) for node in root.field("steps").items())
    return Story(
        model=root.field("model").text(),
        scope=root.field("scope").text(),
        sizes={name: node.number(0) for name, node in root.field("sizes").fields()},
        profile=profile.text() if profile else NOMAD_2_0.name,
        steps=steps,
        start=_read_application(start) if start else None,
        loop=loop.number(0) if loop else None,
        property=claimed.text() if claimed else None,
        case=tuple(node.text() for node in case.items()) if case else (),
        witnesses=tuple(tuple(name.text() for name in node.items()) for node in witnesses.items())
        if witnesses
        else (),
        seed=seed.number() if seed else None,
    )


def _read_application(node: Node) -> Application:
    node.with_fields("rule", "arguments")
    arguments: dict[str, object] = {}
    for name, value in node.field("arguments").fields():
        is_map = isinstance(value.value, dict)
        arguments[name] = {key: item.scalar() for key, item in value.fields()} if is_map else value.scalar()
    return Application(node.field("rule").text(), arguments)


def _bound(root: Node, story: Story, keep: Callable[[Model, Story], Model]) -> BoundedModel:
    model = _load(root.field("model"))
    with _placing(root.field("scope")):
        model.find_scope(story.scope)
    with _placing(root.optional("profile") or root):
        find_profile(story.profile)
    _check_sizes(root.field("sizes"), story, model)
    with _placing(root.field("sizes")):
        return keep(model, story).at(story.scope, sizes=story.sizes, profile=story.profile)


def _load(node: Node) -> Model:
    """Load the model; where its own file is at fault both files are named."""
    try:
        with _placing(node):
            return load_model(node.text())
    except UnreadableError as problem:
        raise InputError(node.file, str(problem), at=node.path) from problem


def _check_sizes(sizes: Node, story: Story, model: Model) -> None:
    """Require each size of the model: what the scope says today may not be what the story was told of."""
    for name, node in sizes.fields():
        with _placing(node):
            model.sizes_of({name: story.sizes[name]})
    for size in model.world.schema.sizes:
        sizes.field(size.name)


def _check_names(root: Node, story: Story, bounded: BoundedModel) -> None:
    """Refuse what the model does not have, before anything is replayed."""
    if story.property not in {None, DEADLOCK, *PROMISES}:
        with _placing(root.field("property")):
            bounded.model.find_property(str(story.property))
    told = list(zip(root.field("steps").items(), story.steps, strict=True))
    for node, application in ([(root.field("start"), story.start)] if story.start else []) + told:
        with _placing(node.field("rule")):
            rule = bounded.model.find_rule(application.rule)
        arguments = node.field("arguments")
        for domain in rule.domains(bounded.frame):
            if domain.name in application.arguments:
                with _placing(arguments.field(domain.name)):
                    domain.parse(application.arguments[domain.name])
        with _placing(arguments):
            bounded.parse_arguments(rule, application.arguments)


@contextmanager
def _placing(node: Node) -> Iterator[None]:
    """Say where in the file something stands that does not fit: the file is at fault, not the call."""
    try:
        yield
    except UnknownNameError as unknown:
        problem = f"there is no {unknown.kind} named {unknown.name!r}"
        hint = suggest(unknown.name, unknown.known)
        raise InputError(node.file, problem, at=node.path, hint=hint) from unknown
    except UsageError as problem:
        raise InputError(node.file, str(problem), at=node.path) from problem


def _check_first(root: Node, story: Story, bounded: BoundedModel) -> None:
    start = story.start
    with _placing(root.field("start") if start else root):
        first = find_start(bounded, start.rule if start else None, start.arguments if start else {})
    told: Mapping[str, object] = {name: node.scalar() for name, node in root.field("first").fields()}
    cells = bounded.describe(first)
    for name in told:
        if name not in cells:
            raise _make_error_of_cell(root, name, cells)
    for name, here in cells.items():
        there = told.get(name)
        if here != there or isinstance(here, bool) != isinstance(there, bool):
            raise InputError(
                root.file,
                f"{name} is {_shown(there)}, but the model begins with {_shown(here)}",
                at="$.first",
                hint="the story was told of another version of the model",
            )


def _make_error_of_cell(root: Node, name: str, cells: Iterable[str]) -> InputError:
    """Say which word of a name is new: the field, or the object that it is about."""
    known = dict.fromkeys(word for cell in cells for word in _WORD.findall(cell))
    word = next((word for word in _WORD.findall(name) if word not in known), name)
    problem = f"there is no {word}" + (f" for {name}" if word != name else "")
    return InputError(root.file, problem, at="$.first", hint=suggest(word, known))


def _shown(value: object) -> str:
    return "absent" if value is None else write_json(value)


def _application_data(application: Application) -> dict[str, object]:
    return {"rule": application.rule, "arguments": dict(application.arguments)}
