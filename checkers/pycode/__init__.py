"""Python code written from traced rules and properties, for walks that seldom see the same thing twice."""
