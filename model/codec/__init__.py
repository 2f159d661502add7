"""Nomad's JSON in and out; nothing else knows how a field is spelled there."""
