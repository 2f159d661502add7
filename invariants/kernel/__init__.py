"""What must be true of the kernel; one file a subject."""
