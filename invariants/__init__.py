"""What must be true: the properties of the model."""

if __name__ != "nomadspec.invariants":
    msg = (
        "`invariants` is not importable by this name: write `import nomadspec.invariants` "
        "(set up once with `python3 run.py verify`, or `pip install -e .`)"
    )
    raise ImportError(msg)
