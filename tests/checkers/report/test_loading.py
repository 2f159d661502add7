"""Models by name, and from users' files."""

from pathlib import Path

import pytest

from nomadspec.checkers.report.loading import blaming_own, load_model, naming_file, split_reference
from nomadspec.model.errors import ImpossibleError, InputError, ModelError, UnknownNameError, UsageError
from tests.checkers.shop import SHOP, write_shop


def test_a_name_of_the_catalogue_is_found() -> None:
    assert "core" == load_model("core").name


def test_a_model_in_a_file_is_loaded_by_its_name(tmp_path: Path) -> None:
    assert "shop" == load_model(f"{write_shop(tmp_path)}:SHOP").name


def test_the_only_model_of_a_file_needs_no_name(tmp_path: Path) -> None:
    assert "shop" == load_model(str(write_shop(tmp_path))).name


def test_a_file_is_run_in_the_language_that_it_says_itself(tmp_path: Path) -> None:
    path = write_shop(tmp_path)
    path.write_text(path.read_text() + "def f(x: 1 + 1): ...\nassert f.__annotations__ == {'x': 2}\n")

    assert "shop" == load_model(str(path)).name


def test_a_file_with_two_models_wants_a_name(tmp_path: Path) -> None:
    path = write_shop(tmp_path)
    path.write_text(path.read_text() + "from dataclasses import replace\nTWIN = replace(SHOP, name='twin')\n")

    with pytest.raises(UsageError, match=r"defines 2 models: say which, .*shop.py:SHOP for example"):
        load_model(str(path))


def test_a_name_that_no_file_can_have_is_no_name_of_a_model() -> None:
    with pytest.raises(UnknownNameError, match="named 'kkk"):
        load_model("k" * 300)


def test_the_nearest_model_of_a_file_is_suggested(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="named 'SHOPP'; did you mean SHOP"):
        load_model(f"{write_shop(tmp_path)}:SHOPP")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def broken(:\n", "line 1: it raises SyntaxError"),
        ("\nimport nothing_like_this\n", "line 2: it raises ModuleNotFoundError"),
        ("x = 1\nx.y\n", "line 2: it raises AttributeError"),
        ("raise SystemExit\n", "line 1: it raises SystemExit"),
        ("x = 1\n", "the file defines no model; write NAME = Model"),
        (
            "from nomadspec.model.language.rule import rule\n\n@rule('A-1')\ndef f(s, t): ...\n",
            "line 3: Rule F has no docstring",
        ),
        (
            (
                "from nomadspec.model.language.rule import rule\n\n"
                "@rule('A-1', fair='weak')\ndef f(s, t):\n    'F.'\n"
            ),
            "line 3: Rule F says fair='weak', but it should say fair=weak() or fair=strong().",
        ),
        (
            SHOP.replace("size(2", "size(-2"),
            "line 53: The size patience must be a number of at least 0, not -2.",
        ),
        (
            SHOP.replace('{"patience": 1}', '{"patienc": 1}'),
            "line 53: There is no size of shop named 'patienc'; did you mean patience?",
        ),
    ],
)
def test_a_slip_in_a_file_names_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    path = write_shop(tmp_path, "slip.py", text)

    with pytest.raises((InputError, ModelError)) as caught:
        load_model(str(path))
    assert sentence in str(caught.value)
    assert not str(caught.value).endswith("?.")


def test_a_slip_that_a_scope_shows_names_the_file(tmp_path: Path) -> None:
    path = write_shop(tmp_path, text=SHOP.replace("init=0", "init=77"))
    model = load_model(str(path))

    with (
        pytest.raises(InputError, match=r"shop.py: The field waiting begins at 77, outside of"),
        naming_file(str(path)),
    ):
        model.at()
    with pytest.raises(ModelError, match=r"^about the package$"), naming_file("core"):
        raise ModelError("about the package")


def test_a_difference_in_a_model_of_ones_own_may_be_its_own_or_a_defect(tmp_path: Path) -> None:
    path = write_shop(tmp_path)

    with (
        pytest.raises(ImpossibleError, match=r"shop.py: A story differs. Either a text of this file is not"),
        blaming_own(f"{path}:SHOP"),
    ):
        raise ImpossibleError("A story differs.")
    with pytest.raises(ImpossibleError, match=r"^A story differs.$"), blaming_own("core"):
        raise ImpossibleError("A story differs.")


PRINTING = SHOP.replace("    t.require(s.waiting < s", "    print('in a rule')\n    t.require(s.waiting < s")


def test_what_a_file_prints_is_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_shop(tmp_path, "printing_neighbour.py", "print('in a neighbour')\n")
    lines = "import printing_neighbour\nprint('in the file', end='!')\n"
    path = write_shop(tmp_path, "printing.py", lines + PRINTING.split('"""', 2)[2])
    load_model(str(path)).at()
    printed = capsys.readouterr()

    assert "" == printed.out
    assert printed.err.startswith("in a neighbour\nin the file!in a rule\n")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"nowhere.py: the file cannot be read"):
        load_model("nowhere.py:X")


def test_a_file_may_import_its_neighbour(tmp_path: Path) -> None:
    write_shop(tmp_path, "neighbour_of_shop.py")

    assert (
        "shop" == load_model(str(write_shop(tmp_path, "two.py", "from neighbour_of_shop import SHOP\n"))).name
    )


def test_references_are_split() -> None:
    assert (None, "core") == split_reference("core")
    assert (Path("a/b.py"), "M") == split_reference("a/b.py:M")
    assert (Path("a/b.py"), None) == split_reference("a/b.py")
    assert (None, "a:b") == split_reference("a:b")


def test_a_name_beside_a_file_of_that_name_means_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_shop(tmp_path)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(UsageError, match=r"named 'shop'; did you mean shop\.py, the file of that name"):
        load_model("shop")
