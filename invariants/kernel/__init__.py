"""What must be true of the kernel; one file a subject.

Of the invariants of evaluations that the specification proposes, the kernel cannot state four, since it
keeps no numeric indexes and no pointers, and has one server whose log it follows:

- that pointers between evaluations lead back and forth (EVAL-24 to EVAL-27): evaluations point to none here;
- that indexes of a record only grow (EVAL-33): what an index decides is kept as what it means;
- that stale servers hand out nothing (FSM-01): a server that does not lead has no broker here at all;
- how many wake-ups a full list to cancel takes (LEADER-40): evaluations are canceled one by one.

Nor does it state anything about what it leaves out: namespaces (02/S4), the length of delays (02/S7,
02/S9), statistics (02/S10) and the pages of a deletion by filter (02/S17).
"""
