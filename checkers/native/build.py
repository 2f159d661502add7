"""From a bounded model to machine code in this process, by way of a cache on disk.

The cache holds object files under the hash of everything that they follow from: the text, the compiler, the
processor, this version. Each is sealed with the user's key, and runs only if nobody else can have written it.
A file that cannot be read or written is only slower.
"""

from __future__ import annotations

import ctypes
import os
import sys
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.sealed_files import read_sealed, write_sealed
from nomadspec.checkers.sealing import find_own_folder
from nomadspec.checkers.stopping import stand_apart
from nomadspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from llvmlite.binding import TargetMachine

PACKAGE: Final = "llvmlite"
CACHE_VARIABLE: Final = "NOMADSPEC_CACHE"
PURPOSE: Final = "compiled code"
_USUAL_FILES: Final = 3
_POLITE: Final = 5
"""How much a process that compiles beside others stands back."""


def is_available() -> bool:
    """True if the compiler is installed, and this machine is one that it was tried on."""
    is_known = sys.platform == "linux" and sys.byteorder == "little" and sys.maxsize > 1 << 32
    return is_known and find_spec(PACKAGE) is not None


def find_cache() -> Path | None:
    """Give the folder of compiled code: NOMADSPEC_CACHE, or where the user has other caches, if anywhere."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    return find_own_folder("XDG_CACHE_HOME", ".cache")


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be compiled, and how hard the compiler should try: 0 is quick, 2 makes quick code."""

    lines: str
    level: int


class MachineCode:
    """Compiled functions, by their addresses; they live as long as this does."""

    def __init__(self, texts: Sequence[Text], names: Sequence[str], cache: Path | None = None) -> None:
        """Compile, or take what was compiled before; the texts may call one another's functions."""
        from llvmlite import binding  # noqa: PLC0415 -- only who compiles needs the package

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        self.compiled = 0
        """How many of the texts were not in the cache."""
        folder = find_cache() if cache is None else cache
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _make_machine(binding, 2))
        for text in texts:
            self._engine.add_object_file(
                binding.ObjectFileRef.from_data(self._find_code(text, binding, folder))
            )
        self._engine.finalize_object()
        self.addresses: Mapping[str, int] = {name: self._engine.get_function_address(name) for name in names}

    def _find_code(self, text: Text, binding: ModuleType, folder: Path | None) -> bytes:
        name = _name_code(text, binding)
        code = None if folder is None else read_sealed(folder / name, PURPOSE)
        if code is None:
            self.compiled += 1
            code = _compile(text, binding)
            if folder is not None:
                write_sealed(folder / name, PURPOSE, code)
        return code


class Improvement:
    """Texts that are compiled better while work goes on, in a process of its own that writes to the cache."""

    def __init__(self, texts: Sequence[Text]) -> None:
        """Look for what was compiled before."""
        from llvmlite import binding  # noqa: PLC0415 -- only who compiles needs the package

        folder = find_cache()
        self._texts = tuple(texts)
        self._paths = [] if folder is None else [folder / _name_code(text, binding) for text in texts]

    def is_there(self) -> bool:
        """True if all of them are in the cache."""
        return len(self._paths) == len(self._texts) and all(map(_has_code, self._paths))

    def choose(self, others: Sequence[Text]) -> tuple[Text, ...]:
        """Take those that are in the cache, and others in the place of the rest."""
        if not self._paths:
            return tuple(others)
        found = zip(self._texts, self._paths, others, strict=True)
        return tuple(text if _has_code(path) else other for text, path, other in found)

    def begin(self) -> None:
        """Start to compile one after another; it ends with this process, and what is done by then is kept."""
        if self._paths and not self.is_there():
            given = list(zip(self._texts, self._paths, strict=True))
            get_context("fork").Process(target=_improve, args=(given,), daemon=True).start()


def _improve(given: Sequence[tuple[Text, Path]]) -> None:
    from llvmlite import binding  # noqa: PLC0415 -- only who compiles needs the package

    stand_apart()
    os.nice(_POLITE)
    _hang_up()
    for text, path in given:
        if not _has_code(path):
            write_sealed(path, PURPOSE, _compile(text, binding))


def _hang_up() -> None:
    """Let go of all that was open: else who listens to this process would wait for what nobody says."""
    silence = os.open(os.devnull, os.O_RDWR)
    for usual in range(_USUAL_FILES):
        os.dup2(silence, usual)
    os.closerange(_USUAL_FILES, os.sysconf("SC_OPEN_MAX"))


def _has_code(path: Path) -> bool:
    """True if code is there that can be taken."""
    return path.exists() and read_sealed(path, PURPOSE) is not None


def _name_code(text: Text, binding: ModuleType) -> str:
    """Name the code by everything that it follows from."""
    host = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    identity = (text.lines, str(text.level), __version__, str(binding.llvm_version_info), *host)
    return sha256(chr(0).join(identity).encode()).hexdigest()


def bind(code: MachineCode, name: str, arguments: int) -> Callable[..., int]:
    """Make a function callable, with so many words; what one without an answer gives means nothing."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)(code.addresses[name])


def _make_machine(binding: ModuleType, level: int) -> TargetMachine:
    return binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=level
    )


def _compile(text: Text, binding: ModuleType) -> bytes:
    machine = _make_machine(binding, text.level)
    module = binding.parse_assembly(text.lines)
    module.verify()
    if text.level:
        options = binding.create_pipeline_tuning_options(speed_level=text.level)
        builder = binding.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))
