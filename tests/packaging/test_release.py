"""What is released installs from either archive, runs without its source, and describes itself everywhere."""

import importlib.util
import re
import shutil
import site
import sys
from pathlib import Path

import pytest

import nomadspec
from run import SetupError
from tests.packaging import smoke
from tests.packaging.declared import LEVELS, list_versions, read_citation, read_metadata
from tests.packaging.smoke import (
    SmokeError,
    build_sdist,
    build_wheel,
    copy_project,
    find_python,
    install,
    make_environment,
    try_out,
)
from tests.tidy.source import ROOT

HERE = ("--no-index", "--no-deps", "--no-build-isolation")
"""Nothing is fetched: what else is needed is lent by the environment of the tests."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Build the sdist, and the wheel from it."""
    place = tmp_path_factory.mktemp("built")
    (place / "copy").mkdir()
    sdist = build_sdist(copy_project(place / "copy"), place / "sdist")
    return build_wheel(sdist, place / "wheel"), sdist


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_it_runs_in_an_environment_of_its_own(built: tuple[Path, Path], kind: str, tmp_path: Path) -> None:
    python = make_environment(Path(sys.executable), tmp_path / "environment")
    packages = next((tmp_path / "environment").glob("lib/python*/site-packages"))
    for bundled in packages.glob("setuptools*"):  # that of an older Python is too old to build anything
        shutil.rmtree(bundled)
    (packages / "lent.pth").write_text("\n".join(site.getsitepackages()))
    install(python, built[kind == "sdist"], HERE)

    assert f"nomadspec {nomadspec.__version__}" == try_out(python, tmp_path)
    assert [packages / "nomadspec"] == list(packages.glob("nomadspec"))


@pytest.mark.deep
def test_what_does_not_work_is_told(tmp_path: Path) -> None:
    python = make_environment(Path(sys.executable), tmp_path / "environment")

    with pytest.raises(SmokeError, match="No module named"):
        try_out(python, tmp_path)


@pytest.fixture
def stubbed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Build and install nothing; note which Pythons are tried."""
    tried: list[Path] = []

    def note(python: Path, place: Path) -> Path:
        tried.append(python)
        return place

    monkeypatch.setattr(smoke, "VERSIONS", ("{}.{}".format(*sys.version_info), "3.99"))
    monkeypatch.setattr(smoke, "copy_project", lambda place: place)
    monkeypatch.setattr(smoke, "build_sdist", lambda *_: tmp_path / "nomadspec-1.tar.gz")
    monkeypatch.setattr(smoke, "build_wheel", lambda *_: tmp_path / "nomadspec-1-py3-none-any.whl")
    monkeypatch.setattr(smoke, "list_versions", lambda *_: {"here": "1", "there": "1"})
    monkeypatch.setattr(smoke, "make_environment", note)
    monkeypatch.setattr(smoke, "install", lambda *_: None)
    monkeypatch.setattr(smoke, "install_locked", lambda *_: None)
    monkeypatch.setattr(smoke, "try_out", lambda *_: "nomadspec 1")
    return tried


def test_each_python_that_is_here_is_tried_and_the_others_are_named(stubbed: list[Path]) -> None:
    lines: list[str] = []
    code = smoke.main(lines.append)

    assert 0 == code
    assert [Path(sys.executable)] * 2 == stubbed
    assert [
        "version  1 in here, there\n",
        "locks    each package has hashes: N in run.txt, N in test.txt, N in dev.txt\n",
        "{}.{}     wheel and sdist work: nomadspec 1 (N s)\n".format(*sys.version_info),
        "3.99     left out: there is no such Python here\n",
    ] == [re.sub(r"\d+(?= in | s\))", "N", line) if i else line for i, line in enumerate(lines)]


@pytest.mark.usefixtures("stubbed")
def test_a_python_on_which_it_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise SetupError("THESE PACKAGES DO NOT MATCH THE HASHES")

    monkeypatch.setattr(smoke, "install_locked", refuse)
    lines: list[str] = []
    code = smoke.main(lines.append)

    assert 1 == code
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in lines[2]


def test_a_place_with_another_version_is_named() -> None:
    assert ("source says 2, but CITATION.cff says 1, and the wheel says 3", False) == smoke.compare_versions(
        {"source": "2", "CITATION.cff": "1", "the sdist": "2", "the wheel": "3"}
    )


def test_a_locked_package_without_a_hash_is_named(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    for level in LEVELS:
        (tmp_path / "requirements" / f"{level}.txt").write_text(
            "# lock\na==1 \\\n    --hash=sha256:0\nb==2\n"
        )
    sentence, is_right = smoke.count_locked(tmp_path)

    assert not is_right
    assert "no hash of b in requirements/run.txt, b in requirements/test.txt" in sentence


def test_a_python_is_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shim of pyenv stands on the path for versions that are not there."""
    (tmp_path / "python3.99").write_text("#!/bin/sh\nexit 127\n")
    (tmp_path / "python3.99").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    assert find_python("3.99") is None


def describe(readme: str, source: str | None) -> str:
    spec = importlib.util.spec_from_file_location("setup", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.write_description(readme, source))


@pytest.mark.deep
def test_an_index_shows_no_link_to_what_is_not_beside_it(built: tuple[Path, Path]) -> None:
    metadata = read_metadata(built[0])
    shown = str(metadata.get_payload())

    assert "text/markdown" == metadata["Description-Content-Type"]
    assert "# nomadspec" in shown
    for link in re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", shown):
        assert re.match(r"https?:|#", "".join(link)), link


def test_links_lead_to_the_source_where_that_is_said() -> None:
    readme = '[a\nb](docs/a.md) [c](https://c) [d](#d)\n<img src="x.svg" alt="x" width="5">\n\nend'

    assert (
        "[a\nb](https://s/blob/HEAD/docs/a.md) [c](https://c) [d](#d)\n"
        '<img src="https://s/raw/HEAD/x.svg" alt="x" width="5">\n\nend'
    ) == describe(readme, "https://s")
    assert "a\nb [c](https://c) [d](#d)\nend" == describe(readme, None)


def test_the_citation_names_this_version() -> None:
    told = read_citation()

    assert ("nomadspec", nomadspec.__version__, "MPL-2.0") == (
        told["title"],
        told["version"],
        told["license"],
    )


@pytest.mark.deep
def test_the_version_comes_from_one_place(built: tuple[Path, Path]) -> None:
    assert {nomadspec.__version__} == set(list_versions(*built).values())
