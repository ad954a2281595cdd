"""The filter of system calls: a small program of classic BPF, which the kernel runs at each call of a bot.

It is a list of what is refused, for all else is too much to know: a bot may be in any language. What it refuses either
reaches out of the sandbox (tracing, namespaces, mounts, kernel modules, keys of the user), or is a way around the
filter itself (io_uring), or belongs to the machine (its clock, its swap).

One instruction is `code, jump if true, jump if false, value`; jumps count the instructions that are passed over.
"""

import errno
import platform
import struct

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24  # offsets in what the kernel passes
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000

_NAMESPACES = 0x7E020000
"""The flags of `clone` that make a namespace, all but that of the clock, which means something else there."""
_FAMILIES = (1, 2, 10, 16)
"""Unix, IPv4, IPv6 and netlink sockets, which runtimes try. The network namespace takes the sense out of all but the
first; of others, such as the sockets of virtual machines, it knows nothing."""
_INTO_TERMINAL = (0x5412, 0x541C)
"""Calls of `ioctl` that type into a terminal: TIOCSTI and TIOCLINUX."""


_PROCESSORS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""How the kernel calls the processors that there is a filter for, in the order of the columns below."""
_NUMBERS = """
clone               56  220
clone3             435  435
socket              41  198
socketpair          53  199
ioctl               16   29
"""
"""The calls that are looked at, with their numbers."""
_REFUSED = """
ptrace             101  117
process_vm_readv   310  270
process_vm_writev  311  271
kcmp               312  272
pidfd_getfd        438  438
process_madvise    440  440
unshare            272   97
setns              308  268
mount              165   40
umount2            166   39
pivot_root         155   41
chroot             161   51
move_mount         429  429
open_tree          428  428
fsopen             430  430
fsconfig           431  431
fsmount            432  432
fspick             433  433
mount_setattr      442  442
open_by_handle_at  304  265
name_to_handle_at  303  264
fanotify_init      300  262
quotactl           179   60
quotactl_fd        443  443
swapon             167  224
swapoff            168  225
acct               163   89
init_module        175  105
finit_module       313  273
delete_module      176  106
kexec_load         246  104
kexec_file_load    320  294
reboot             169  142
bpf                321  280
perf_event_open    298  241
userfaultfd        323  282
keyctl             250  219
add_key            248  217
request_key        249  218
io_uring_setup     425  425
io_uring_enter     426  426
io_uring_register  427  427
settimeofday       164  170
clock_settime      227  112
adjtimex           159  171
clock_adjtime      305  266
sethostname        170  161
setdomainname      171  162
syslog             103  116
vhangup            153   58
iopl               172    -
ioperm             173    -
"""
"""The calls that are refused, with their numbers."""


def filter_program() -> bytes | None:
    """The filter for the processor of this machine, as bubblewrap takes it; `None` where there is none."""
    processor = platform.machine()
    if processor not in _PROCESSORS or struct.calcsize("P") != 8:
        return None
    column = [*_PROCESSORS].index(processor)
    call = _numbers(_NUMBERS, column)
    program = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, _PROCESSORS[processor], 1, 0),
        _instruction(_RETURN, _KILL),  # calls by another numbering, as of 32 bits
        _instruction(_LOAD, _NUMBER),
        _instruction(_AT_LEAST, 0x40000000, 0, 1),  # and of x32; no other processor has calls so high
        _answer(errno.ENOSYS),
    ]
    for number in _numbers(_REFUSED, column).values():
        program += [_instruction(_EQUAL, number, 0, 1), _answer(errno.EPERM)]
    # The flags of clone3 are out of a filter's reach; libraries then take `clone`.
    program += [_instruction(_EQUAL, call["clone3"], 0, 1), _answer(errno.ENOSYS)]
    allow, refuse = _instruction(_RETURN, _ALLOW), _answer(errno.EPERM)
    program += _of_call(call["clone"], _FIRST_ARGUMENT, [(_ANY_BIT, _NAMESPACES)], refuse, allow)
    program += _of_call(call["ioctl"], _SECOND_ARGUMENT, [(_EQUAL, code) for code in _INTO_TERMINAL], refuse, allow)
    known, unknown = [(_EQUAL, family) for family in _FAMILIES], _answer(errno.EAFNOSUPPORT)
    for name in ("socket", "socketpair"):
        program += _of_call(call[name], _FIRST_ARGUMENT, known, allow, unknown)
    program.append(allow)
    return b"".join(program)


def _numbers(table: str, column: int) -> dict[str, int]:
    """The numbers of calls by name, of one processor; those that it does not have are left out."""
    rows = (line.split() for line in table.split("\n") if line)
    return {name: int(numbers[column]) for name, *numbers in rows if numbers[column] != "-"}


def _of_call(number: int, argument: int, tests: list[tuple[int, int]], held: bytes, else_: bytes) -> list[bytes]:
    """What to return of one call: `held` if one of the tests holds of an argument, `else_` if none does."""
    places = range(len(tests), 0, -1)  # from a test to the last line
    compared = [_instruction(test, value, left, 0) for left, (test, value) in zip(places, tests, strict=True)]
    body = [_instruction(_LOAD, argument), *compared, else_, held]
    return [_instruction(_EQUAL, number, 0, len(body)), *body]


def _answer(error: int) -> bytes:
    return _instruction(_RETURN, _ERROR | error)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
