"""Diagrams: graphs as Mermaid, DOT, SVG and PNG, and what is drawn as graphs."""
