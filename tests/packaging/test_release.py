"""What is released installs from either archive, runs without its source, and describes itself everywhere."""

import importlib.util
import re
import shutil
import site
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import nomadspec
from tests.packaging import smoke
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


@pytest.mark.deep
def test_each_python_that_is_here_is_tried_and_the_others_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = "{}.{}".format(*sys.version_info)
    tried: list[Path] = []
    lines: list[str] = []
    monkeypatch.setattr(smoke, "VERSIONS", (here, "3.99"))

    def note(python: Path, place: Path) -> Path:
        tried.append(python)
        return place

    monkeypatch.setattr(smoke, "make_environment", note)
    monkeypatch.setattr(smoke, "install", lambda *_: None)
    monkeypatch.setattr(smoke, "try_out", lambda *_: "nomadspec 1")
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    assert 0 == smoke.main(lines.append)
    assert [Path(sys.executable)] * 2 == tried
    assert ["works", "works", "left out: there is no such Python here"] == [
        re.sub(r"^\S+  (\S+: nomadspec 1 )?", "", line).strip() for line in lines
    ]


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
    with zipfile.ZipFile(built[0]) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = Parser().parsestr(archive.read(name).decode())
    shown = metadata.get_payload()

    assert "text/markdown" == metadata["Description-Content-Type"]
    assert "# nomadspec" in shown
    for link in re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", str(shown)):
        assert re.match(r"https?:|#", "".join(link)), link


def test_links_lead_to_the_source_where_that_is_said() -> None:
    readme = '[a\nb](docs/a.md) [c](https://c) [d](#d)\n<img src="x.svg" alt="x" width="5">\n\nend'

    assert (
        "[a\nb](https://s/blob/HEAD/docs/a.md) [c](https://c) [d](#d)\n"
        '<img src="https://s/raw/HEAD/x.svg" alt="x" width="5">\n\nend'
    ) == describe(readme, "https://s")
    assert "a\nb [c](https://c) [d](#d)\nend" == describe(readme, None)


def test_the_citation_names_this_version() -> None:
    told = dict(
        line.split(": ", 1)
        for line in (ROOT / "CITATION.cff").read_text().splitlines()
        if re.match(r"[a-z-]+: ", line)
    )

    assert ("nomadspec", nomadspec.__version__, "MPL-2.0") == (
        told["title"],
        told["version"],
        told["license"],
    )
