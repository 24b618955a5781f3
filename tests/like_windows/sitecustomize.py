"""Put first on PYTHONPATH, this hides from the project's own modules what Python on Windows does not have.

Other modules see everything: they know which system they are on.
"""

import builtins
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = tuple(str(ROOT / part) for part in ("app.py", "pages", "roam_core"))
MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
NAMES = {
    "os": {
        "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getpgrp", "getpriority", "getuid",
        "killpg", "mkfifo", "nice", "openpty", "sched_getaffinity", "sched_setaffinity", "setpgid", "setpriority",
        "setsid", "sysconf", "uname", "wait3", "wait4", "waitid",
    },
    "signal": {"SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGSTOP", "SIGUSR1", "SIGUSR2", "alarm", "setitimer"},
    "time": {"tzset"},
}  # fmt: skip
everything = builtins.__import__


class Seen:
    """A module without what Windows lacks in it."""

    def __init__(self, module, missing):
        self._module, self._missing = module, missing

    def __getattr__(self, name):
        if name in self._missing:
            raise AttributeError(f"on Windows {self._module.__name__} has no {name}")
        return getattr(self._module, name)


def as_on_windows(name, globals=None, locals=None, fromlist=(), level=0):
    """What an import statement gives."""
    if level or not str((globals or {}).get("__file__", "")).startswith(OURS):
        return everything(name, globals, locals, fromlist, level)
    if name in MODULES:
        raise ModuleNotFoundError(f"there is no {name} on Windows", name=name)
    module = everything(name, globals, locals, fromlist, level)
    return Seen(module, NAMES[name]) if name in NAMES else module


builtins.__import__ = as_on_windows
