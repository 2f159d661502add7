"""Runs the reference scheduler on what files hold: a recorded call, or documents of a cluster."""
