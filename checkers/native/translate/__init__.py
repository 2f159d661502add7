"""From functions in a small part of Python to LLVM assembly: what the algorithms are written in."""
