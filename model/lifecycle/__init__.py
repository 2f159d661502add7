"""Which status may follow which, and why: literal tables, one file for each kind of object."""
