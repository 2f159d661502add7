"""How it is checked: the engines, the diagrams, the reports and the command line."""

if __name__ != "nomadspec.checkers":
    msg = (
        "`checkers` is not importable by this name: write `import nomadspec.checkers` "
        "(set up once with `python3 run.py verify`, or `pip install -e .`)"
    )
    raise ImportError(msg)
