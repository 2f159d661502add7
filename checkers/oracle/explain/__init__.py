"""Explains what a recorded cluster decided: each decision is made again, on the state that it was made on."""
