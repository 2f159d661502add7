"""One sentence of our own for every ID of the specification, a table for each chapter."""
