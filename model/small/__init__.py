"""Small models that calibrate the engines and teach the language."""
