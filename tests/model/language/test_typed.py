"""A type checker sees ids of the wrong set, and ids that are taken for numbers."""

import subprocess
import sys
from pathlib import Path

from nomadspec.model.language.model import Model

PLANTED = Path(__file__).with_name("planted_mistakes.txt")
"""A model whose lines say with ``# wrong`` where a mistake is; it is no module, so that it may have some."""


def test_planted_mistakes_are_seen_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "planted.py"
    path.write_text(PLANTED.read_text(encoding="utf-8"), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--hide-error-context",
        str(path),
    ]
    told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PLANTED.parents[2])
    found = {int(line.split(":")[1]) for line in told.stdout.splitlines() if "planted.py" in line}
    wanted = {
        number
        for number, line in enumerate(PLANTED.read_text(encoding="utf-8").splitlines(), start=1)
        if "# wrong" in line
    }

    assert wanted == found, told.stdout + told.stderr
    assert len(wanted) > 9


def test_typed_declarations_are_the_usual_ones_when_a_model_runs() -> None:
    right = [line for line in PLANTED.read_text(encoding="utf-8").splitlines() if "# wrong" not in line]
    names: dict[str, object] = {}
    exec(compile("\n".join(right), str(PLANTED), "exec"), names)  # noqa: S102 -- the file beside this one
    model = names["MODEL"]

    assert isinstance(model, Model)
    assert {"Put", "Retry"} == {instance.rule.name for instance in model.at().instances}
