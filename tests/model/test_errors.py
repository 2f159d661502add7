import pickle

import pytest

from nomadspec.model.errors import (
    EXIT_INTERNAL,
    EXIT_UNREADABLE,
    EXIT_USAGE,
    EXIT_VIOLATED,
    DisabledError,
    DomainError,
    ImpossibleError,
    InputError,
    ModelError,
    NomadSpecError,
    StyleError,
    UnknownNameError,
    UsageError,
    suggest,
)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (UsageError, EXIT_USAGE),
        (UnknownNameError, EXIT_USAGE),
        (InputError, EXIT_UNREADABLE),
        (ModelError, EXIT_UNREADABLE),
        (StyleError, EXIT_UNREADABLE),
        (DomainError, EXIT_UNREADABLE),
        (DisabledError, EXIT_VIOLATED),
        (ImpossibleError, EXIT_INTERNAL),
        (NomadSpecError, EXIT_INTERNAL),
    ],
)
def test_each_error_has_its_exit_code(kind: type[NomadSpecError], code: int) -> None:
    assert code == kind.exit_code
    assert issubclass(kind, NomadSpecError)


@pytest.mark.parametrize(
    ("name", "known", "end"),
    [
        ("cores", ["core", "2pc"], "did you mean core?"),
        ("CORE", ["core", "2pc"], "did you mean core?"),
        ("abx", ["abc", "abd"], "did you mean abd or abc?"),
        ("x", ["core", "2pc"], "known are 2pc, core."),
        ("x", [], "there are none."),
        (
            "?",
            [f"name{n:02}" for n in range(13)],
            f"known are {', '.join(f'name{n:02}' for n in range(12))} and others.",
        ),
    ],
)
def test_the_nearest_names_are_suggested(name: str, known: list[str], end: str) -> None:
    assert end == suggest(name, iter(known))


def test_an_unknown_name_keeps_what_was_asked() -> None:
    error = UnknownNameError("model", "cor", iter(["core", "2pc"]))

    assert "There is no model named 'cor'; did you mean core?" == str(error)
    assert ("model", "cor", ("core", "2pc")) == (error.kind, error.name, error.known)


def test_an_unreadable_file_is_named_with_the_place() -> None:
    error = InputError("story.json", "a number was expected", at="$.seed", hint="remove the quotes")

    assert "story.json, at $.seed: a number was expected; remove the quotes." == str(error)
    assert ("story.json", "$.seed", "a number was expected", "remove the quotes") == (
        error.file,
        error.at,
        error.problem,
        error.hint,
    )


def test_of_many_names_those_that_stand_first_are_listed() -> None:
    names = ["intended", *(f"{number:02}" for number in range(20))]

    assert suggest("x", names).startswith("known are intended, 00, 01")


@pytest.mark.parametrize("hint", ["did you mean core?", "known are 2pc, core."])
def test_a_sentence_ends_once(hint: str) -> None:
    assert f"s.json: it is empty; {hint}" == str(InputError("s.json", "it is empty", hint=hint))


def test_place_and_hint_may_be_missing() -> None:
    assert "story.json: it is empty." == str(InputError("story.json", "it is empty"))


@pytest.mark.parametrize("error", [ModelError("a"), UsageError("b"), StyleError("c")])
def test_errors_with_a_sentence_cross_processes(error: NomadSpecError) -> None:
    assert str(error) == str(pickle.loads(pickle.dumps(error)))  # noqa: S301 - our own bytes
