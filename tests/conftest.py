import os
import signal

from hypothesis import settings

# What the tests start finds what a user's shell gives it: output that is buffered, and an interrupt that is heard, also
# where the tests themselves run in the background.
os.environ.pop("PYTHONUNBUFFERED", None)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Every run tries the same examples, and a busy machine fails no test.
settings.register_profile("arena", derandomize=True, deadline=None)
settings.load_profile("arena")
