"""What is built is what is in the tree: no module is forgotten, and nothing else goes along."""

import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tests.packaging.course import list_course
from tests.packaging.smoke import build_wheel, copy_project
from tests.tidy.source import PACKAGES, ROOT

SHIPPED_SUFFIXES = {".py", ".pyi", ".toml", ".json"}
SHIPPED_FOLDERS = {"fonts", "pages"}


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Build the wheel from a copy, so that the tree stays clean, and list its files without the metadata."""
    copy, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("out")
    with zipfile.ZipFile(build_wheel(copy_project(copy), out)) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def list_shipped() -> dict[str, Path]:
    """Map the names that the wheel must hold to the files of the tree."""
    paths = [path for folder in PACKAGES for path in (ROOT / folder).rglob("*")]
    shipped = [path for path in paths if is_shipped(path)]
    return {_find_installed_name(path.relative_to(ROOT)): path for path in shipped}


def is_shipped(path: Path) -> bool:
    """Whether a file of the tree belongs in the wheel."""
    is_known = (
        path.suffix in SHIPPED_SUFFIXES or path.name == "py.typed" or path.parent.name in SHIPPED_FOLDERS
    )
    return is_known and path.is_file()


def _find_installed_name(path: Path) -> str:
    inside = PurePosixPath(path) if path.parts[0] == "nomadspec" else PurePosixPath("nomadspec", path)
    return str(inside)


def _list_course_names() -> list[str]:
    return [f"nomadspec/course/{name}" for name in list_course()]


def compute_advice(missing: list[str]) -> str:
    """Say what to write into pyproject.toml for files that the wheel lacks."""
    packages = sorted({str(PurePosixPath(name).parent).replace("/", ".") for name in missing})
    lines = [f'  "{package}",' for package in packages]
    return "\n".join(["the wheel lacks files; [tool.setuptools] packages in pyproject.toml needs", *lines])


@pytest.mark.deep
def test_the_wheel_holds_every_file_of_the_tree(wheel_names: set[str]) -> None:
    missing = sorted({*list_shipped(), *_list_course_names()} - wheel_names)

    assert not missing, compute_advice(missing)


@pytest.mark.deep
def test_the_wheel_holds_nothing_else(wheel_names: set[str]) -> None:
    assert set() == wheel_names - {*list_shipped(), *_list_course_names()}


def test_every_package_says_what_it_is() -> None:
    folders = {path.parent for path in list_shipped().values() if path.suffix == ".py"}
    silent = sorted(
        str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()
    )

    assert not silent, f"an __init__.py with a docstring is missing in {', '.join(silent)}"


def test_the_advice_names_the_package() -> None:
    advice = compute_advice(["nomadspec/model/small/core.py", "nomadspec/model/small/two_phase.py"])

    assert '  "nomadspec.model.small",' == advice.splitlines()[-1]
