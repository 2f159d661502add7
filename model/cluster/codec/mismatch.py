"""What is thrown inside the codec when a value is not what its field holds."""

from typing import Final

from nomadspec.model.errors import InputError

_SHOWN: Final = 60
_NAMES: Final = {dict: "an object", list: "a list", bool: "a truth value", type(None): "null"}


class MismatchError(Exception):
    """A value is not what its field holds; the way to it grows while the error rises."""

    def __init__(self, expected: str, found: object) -> None:
        """Keep what the field holds and what was there."""
        self.expected = expected
        self.found = found
        self.steps: list[str] = []
        super().__init__(expected)

    def explain(self, source: str) -> InputError:
        """Say in one sentence where which value is wrong."""
        problem = f"expected {self.expected}, found {describe(self.found)}"
        return InputError(source, problem, at=join_steps(self.steps[::-1]))


def describe(value: object) -> str:
    """Name a JSON value in a sentence."""
    named = _NAMES.get(type(value))
    if named is not None:
        return f"{named} ({str(value).lower()})" if isinstance(value, bool) else named
    text = repr(value)
    return f"{text[:_SHOWN]}..." if len(text) > _SHOWN else text


def join_steps(steps: list[str]) -> str:
    """Write the way to a value: `TaskGroups[0].Meta{color}`."""
    return "".join(step if step.startswith(("[", "{")) else f".{step}" for step in steps).removeprefix(".")
