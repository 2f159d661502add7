"""What happens: the rules, as pure values and functions."""

if __name__ != "nomadspec.model":
    msg = (
        "`model` is not importable by this name: write `import nomadspec.model` "
        "(set up once with `python3 run.py verify`, or `pip install -e .`)"
    )
    raise ImportError(msg)
