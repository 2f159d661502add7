"""What every test shares."""

from hypothesis import settings

# The machine's speed decides nothing, a failure repeats on every machine, and nothing is left behind.
settings.register_profile("nomadspec", deadline=None, derandomize=True, database=None)
settings.load_profile("nomadspec")
