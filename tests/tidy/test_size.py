"""A file has one subject, and a function fits a screen."""

from tests.tidy.source import Source, count_lines, list_functions

MAX_FILE_LINES = 700
MAX_FUNCTION_LINES = 70


def find_large(source: Source) -> list[str]:
    """List what is too long, and what to do about it."""
    found = []
    if source.text.count("\n") > MAX_FILE_LINES:
        found.append(f"{source.path}: more than {MAX_FILE_LINES} lines: give its second subject a file")
    for function in list_functions(source.parse()):
        if count_lines(function) > MAX_FUNCTION_LINES:
            where = f"{source.at(function)}: {function.name}"
            found.append(f"{where} has more than {MAX_FUNCTION_LINES} lines: name a part and call it")
    return found


def test_a_long_function_is_found() -> None:
    source = Source("long.py", "def tedious():\n" + "    print()\n" * MAX_FUNCTION_LINES)

    assert ["long.py:1: tedious has more than 70 lines: name a part and call it"] == find_large(source)


def test_a_long_file_is_found() -> None:
    source = Source("long.py", "a = 1\n" * (MAX_FILE_LINES + 1))

    assert ["long.py: more than 700 lines: give its second subject a file"] == find_large(source)
