"""Asks any implementation the questions of recordings, and judges its answers by the cluster model."""
