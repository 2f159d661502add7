"""Runs the code of pages and compares what it prints; ``python -m tests.docs.blocks --rewrite`` puts it in.

Pages after that are the only ones: ``python -m tests.docs.blocks --rewrite docs/index.md``.

What a fenced block means, by its language and the comment above it:

    ```console                      `$ command` lines are run, what stands below each must be its output
    ```python                       is run; a ```text block right after it must be what it prints
    <!-- file: x.py -->             the block below is written to the file x.py
    <!-- define in: x.py -->        the block below replaces what x.py defines under that name, or is put
                                    before the last definition of the file
    <!-- excerpt: model/language/rule.py --> the block below must stand in that file of the repository

The pages of one sequence share a directory, in which `docs` leads to the pages. Durations are not compared
(numbers with a unit of time, and those with two or three decimals, which tables of seconds have), nor is how
lines are broken, which depends on them. A line `...` in an output stands for any lines.
"""

import ast
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from tests.tidy.source import ROOT

REWRITE: Final = "--rewrite"
SEQUENCES: Final = (
    ("README.md",),
    ("docs/index.md",),
    (
        "docs/tutorial/1-write-a-rule.md",
        "docs/tutorial/2-break-a-property.md",
        "docs/tutorial/3-read-the-story.md",
    ),
    ("docs/concepts/cluster-properties.md",),
    ("docs/how-to/use-the-command-line.md",),
    ("docs/how-to/run-in-ci.md",),
    ("docs/how-to/use-from-python.md",),
    ("docs/how-to/write-a-model.md",),
    ("docs/how-to/promise-over-time.md",),
    ("docs/how-to/refine-a-model.md",),
    ("docs/how-to/follow-a-log.md",),
    ("docs/how-to/look-closer.md",),
    ("docs/how-to/prove-a-property.md",),
    ("docs/how-to/prove-resources.md",),
    ("docs/how-to/find-weak-properties.md",),
    ("docs/how-to/simulate.md",),
    ("docs/how-to/test-with-hypothesis.md",),
    ("docs/how-to/check-a-recording.md",),
    ("docs/how-to/judge-an-implementation.md",),
    ("docs/how-to/see-why.md",),
    ("docs/how-to/reproduce-a-finding.md",),
    ("docs/how-to/check-a-suspicion.md",),
    ("docs/how-to/add-a-rule.md",),
    ("docs/how-to/draw-an-eval-dag.md",),
    ("docs/how-to/write-a-scenario.md",),
    ("docs/concepts/cluster.md",),
    ("docs/concepts/exploring.md",),
    ("docs/concepts/language.md",),
    ("docs/concepts/worlds.md",),
    ("docs/concepts/why.md",),
    ("docs/concepts/proving.md",),
    ("docs/concepts/classics.md",),
)
"""The pages that are run; those of one sequence one after the other, in one directory."""

_FENCE: Final = re.compile(
    r"(?:<!-- (?P<order>file|define in|excerpt): (?P<path>\S+) -->\n\n?)?"
    r"^```(?P<language>\w+)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_PROGRESS: Final = re.compile(r"(?<![^\n\x01])[a-z0-9].*: \d[\d,]*(?: of \d[\d,]*)?(?:, \d[\d,]*/s)?\n")
"""How far a run is, which it says every few seconds: on a quick machine it has ended before."""

DURATION: Final = re.compile(r"\b\d[\d,.]* ?(?:ms|s|/s)(?![\w/])|\b\d+\.\d{2,3}(?=\s|$)")
"""What is not compared, since machines differ in it."""
_MARK: Final = "\x01"
_TIMEOUT_S: Final = 1200
"""A guard against hanging only: loaded machines are slow."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page."""

    language: str
    body: str
    start: int
    """Where the body begins in the page."""
    order: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A block that does not say what is the case."""

    block: Block
    actual: str
    """What the body would have to be; for an excerpt that is gone, what is wrong."""


def list_blocks(page: str) -> list[Block]:
    """List the fenced blocks of a page."""
    return [
        Block(
            match["language"], match["body"], match.start("body"), match["order"] or "", match["path"] or ""
        )
        for match in _FENCE.finditer(page)
    ]


def check_page(page: str, directory: Path) -> list[Difference]:
    """Run a page in a directory and list what differs."""
    differences = []
    blocks = list_blocks(page)
    for block, after in zip_longest(blocks, blocks[1:]):
        if block.order:
            differences += _obey(block, directory)
        elif block.language == "console":
            differences += _compare(block, _run_console(block.body, directory))
        elif block.language == "python":
            shown = after if after is not None and after.language == "text" and not after.order else None
            expected = shown or Block("text", "", block.start)
            differences += _compare(expected, _run_python(block.body, directory))
    return differences


def correct(page: str, differences: Sequence[Difference]) -> str:
    """Put what is the case into a page."""
    for difference in reversed(differences):
        start, body = difference.block.start, difference.block.body
        page = page[:start] + difference.actual + page[start + len(body) :]
    return page


def make_directory(directory: Path) -> Path:
    """Let a directory show the pages as the repository does; its tests are not those of the repository."""
    (directory / "pytest.ini").touch()
    (directory / "docs").symlink_to(ROOT / "docs")
    return directory


def _obey(block: Block, directory: Path) -> list[Difference]:
    if block.order == "excerpt":
        is_there = textwrap.dedent(block.body) in textwrap.dedent((ROOT / block.path).read_text())
        return [] if is_there else [Difference(block, f"this does not stand in {block.path}\n")]
    target = directory / block.path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(block.body if block.order == "file" else define(target.read_text(), block.body))
    return []


def define(text: str, definition: str) -> str:
    """Replace the definition of the same name in a file, or put it before the last one."""
    spans = [(_name_of(node), *_span_of(node)) for node in ast.parse(text).body]
    name = _name_of(ast.parse(definition).body[0])
    lines = text.splitlines(keepends=True)
    for known, first, last in spans:
        if known == name:
            return "".join([*lines[:first], definition, *lines[last:]])
    first = spans[-1][1]
    return "".join([*lines[:first], definition, "\n\n", *lines[first:]])


def _name_of(node: ast.stmt) -> str:
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0])
    return node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else ""


def _span_of(node: ast.stmt) -> tuple[int, int]:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    return min([node.lineno, *(part.lineno for part in decorators)]) - 1, node.end_lineno or node.lineno


def _run_console(body: str, directory: Path) -> str:
    """Run the commands of a block in one shell and give the block as it would have to be."""
    commands = [line.removeprefix("$ ") for line in body.splitlines() if line.startswith("$ ")]
    script = "\n".join(f"code=$?; printf '{_MARK}'; (exit $code); {command}" for command in commands)
    outputs = _run(["sh", "-c", script], directory).split(_MARK)[1:]
    return "".join(f"$ {command}\n{output}" for command, output in zip(commands, outputs, strict=True))


_BLOCK: Final = """
import linecache, sys
text = sys.argv.pop()
linecache.cache["<block>"] = (len(text), None, text.splitlines(keepends=True), "<block>")
exec(compile(text, "<block>", "exec"))
"""
"""Runs a block whose lines are known, as those of a notebook are."""


def _run_python(body: str, directory: Path) -> str:
    return _run([sys.executable, "-c", _BLOCK, body], directory)


def _run(command: Sequence[str], directory: Path) -> str:
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = os.environ | {"PATH": tools, "NO_COLOR": "1", "COLUMNS": "100"}
    done = subprocess.run(
        command,
        cwd=directory,
        env=environment,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_TIMEOUT_S,
    )
    told = "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())
    return _PROGRESS.sub("", told)


def _compare(block: Block, actual: str) -> list[Difference]:
    parts = [re.escape(_words_of(part)) for part in re.split(r"^\.\.\.\n", block.body, flags=re.MULTILINE)]
    is_same = re.fullmatch("(?:.* )?".join(parts), _words_of(actual))
    return [] if is_same else [Difference(block, actual)]


def _words_of(text: str) -> str:
    """Leave durations out, and how lines are broken, which depends on them."""
    return "".join(f"{word} " for word in DURATION.sub(" 0 s", text).split())


def main(arguments: Sequence[str]) -> int:
    """Check every page, or those named and what shares a directory with them; rewrite what differs."""
    failed, wanted = 0, {name for name in arguments if name != REWRITE}
    for sequence in SEQUENCES:
        if wanted and not wanted & set(sequence):
            continue
        with tempfile.TemporaryDirectory() as name:
            directory = make_directory(Path(name))
            for path in (ROOT / page for page in sequence):
                text = path.read_text()
                differences = check_page(text, directory)
                failed += len(differences)
                if differences and REWRITE in arguments:
                    path.write_text(correct(text, differences))
                for difference in differences:
                    sys.stdout.write(f"{path.relative_to(ROOT)}:\n{difference.actual}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
