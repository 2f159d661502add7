"""Typed declarations run as usual ones do; that a type checker sees mistakes, `python3 run.py types` asks."""

from pathlib import Path

from nomadspec.model.language.model import Model

PLANTED = Path(__file__).with_name("planted_mistakes.py")
"""A model whose lines say with ``# wrong`` where a mistake is."""


def test_typed_declarations_are_the_usual_ones_when_a_model_runs(tmp_path: Path) -> None:
    right = [line for line in PLANTED.read_text(encoding="utf-8").splitlines() if "# wrong" not in line]
    path = tmp_path / "right.py"
    path.write_text("\n".join(right))
    names: dict[str, object] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)  # noqa: S102 -- the file beside this one
    model = names["MODEL"]

    assert isinstance(model, Model)
    assert {"Put", "Retry", "Move", "Look", "Write", "Enqueue", "Show"} == {
        instance.rule.name for instance in model.at().instances
    }


def test_each_mistake_is_held_against_the_type_checker() -> None:
    mistakes = [line for line in PLANTED.read_text(encoding="utf-8").splitlines() if "# wrong" in line]

    assert 83 == len(mistakes)
    assert all("  # type: ignore[" in line for line in mistakes)
