"""Whether a process has ended for want of memory, as its last words say."""

WORDS = (
    "memoryerror",  # Python
    "std::bad_alloc",  # C++
    "memory allocation of",  # Rust
    "outofmemoryerror",  # Java
    "out of memory",  # Node, Go
    "cannot allocate memory",  # the system
)
"""What runtimes say when they are refused memory, in small letters."""
LAST = 2000
"""Characters at the end of the output that count: a longer complaint is about something else, or long ago."""


def ran_out_of_memory(output: str) -> bool:
    """Whether the end of an output says so. A process that lies gains nothing: it pays the same."""
    last = output[-LAST:].lower()
    return any(words in last for words in WORDS)
