"""Namespaces of a part's own, so that nothing of the machine's network or mounts is touched."""

import os
import shutil
import subprocess
import sys

INSIDE = "PLEITO_E2E_NAMESPACES"  # Taken out again before anything else looks at the environment.


def command():
    """What starts a program in namespaces of its own, or None if this machine permits none."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    unshare = [*sudo, "unshare", "--net", "--mount", "--propagation", "private"]
    if sudo and not shutil.which("sudo") or subprocess.run([*unshare, "true"], capture_output=True).returncode:
        return None
    return unshare


def need():
    """Says so and ends well if this machine permits no namespaces."""
    if not command():
        print("   skipped: this machine permits no network namespaces, neither to this user nor by sudo")
        sys.exit(0)


def enter():
    """Starts the program again in namespaces of its own."""
    if os.environ.pop(INSIDE, ""):
        return
    need()
    variables = [f"{name}={value}" for name, value in os.environ.items()]
    program = [sys.executable, os.path.abspath(sys.argv[0]), *sys.argv[1:]]
    unshare = command()
    os.execvp(unshare[0], [*unshare, "env", *variables, f"{INSIDE}=1", *program])
