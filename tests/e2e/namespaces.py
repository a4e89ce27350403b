"""Runs a part in its own namespaces, so that it does not change the machine's network or mounts."""

import os
import shutil
import subprocess
import sys

INSIDE = "PLEITO_E2E_NAMESPACES"  # Removed from the environment before anything else reads it.


def command():
    """Returns the command that starts a program in new namespaces, or `None` if this machine does not permit them."""
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    unshare = [*sudo, "unshare", "--net", "--mount", "--propagation", "private"]
    if sudo and not shutil.which("sudo") or subprocess.run([*unshare, "true"], capture_output=True).returncode:
        return None
    return unshare


def need():
    """Exits with a message and code 0 if this machine does not permit namespaces."""
    if not command():
        print("   skipped: this machine does not permit network namespaces, neither to this user nor through sudo")
        sys.exit(0)


def enter():
    """Restarts the program in new namespaces."""
    if os.environ.pop(INSIDE, ""):
        return
    need()
    variables = [f"{name}={value}" for name, value in os.environ.items()]
    program = [sys.executable, os.path.abspath(sys.argv[0]), *sys.argv[1:]]
    unshare = command()
    os.execvp(unshare[0], [*unshare, "env", *variables, f"{INSIDE}=1", *program])
