"""Find a Chromium for the browser tests, or get one, or say in one sentence how to get one.

Prints the path of the browser on standard output and everything else on standard error, so that the Makefile
can keep the answer. The order: the variable SOLVERLAB_CHROMIUM, the PATH, the browser Playwright downloaded
for this user, and for root on a Debian-like system the package `chromium`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "Google Chrome")
PACKAGES = ("chromium", "fonts-dejavu-core")
ADVICE = (
    "The browser tests need Chromium and none was found: run `sudo apt-get install chromium` (Debian), or "
    "`.venv/bin/playwright install chromium`, or set SOLVERLAB_CHROMIUM to the path of an installed Chrome."
)


def starts(path: str) -> bool:
    """Whether this program is a browser that runs here (Ubuntu's placeholder package, for one, does not)."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and "chrom" in answer.stdout.lower()


def candidates() -> list[str]:
    """Where a Chromium may be, best first."""
    chosen = os.environ.get("SOLVERLAB_CHROMIUM")
    if chosen:
        return [chosen]
    return [path for path in map(shutil.which, NAMES) if path] + downloaded()


def downloaded() -> list[str]:
    """The browser `playwright install chromium` put into this user's cache, when there is one."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return [path] if Path(path).exists() else []


def find() -> str | None:
    """The first candidate that starts."""
    return next((path for path in candidates() if starts(path)), None)


def install() -> None:
    """Install Debian's package, which only root can and only apt-get does."""
    print(f"== installing {' and '.join(PACKAGES)} with apt-get ==", file=sys.stderr)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        subprocess.run(["apt-get", *command], env=environment, stdout=sys.stderr, check=False)


def main() -> int:
    """Print the browser's path and return 0, or print the advice and return 1."""
    path, chosen = find(), os.environ.get("SOLVERLAB_CHROMIUM")
    if path is None and chosen:
        complaint = f"SOLVERLAB_CHROMIUM names {chosen}, which does not start: correct it or unset it."
        print(complaint, file=sys.stderr)
        return 1
    if path is None and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        install()
        path = find()
    if path is None:
        print(ADVICE, file=sys.stderr)
        return 1
    print(f"== Chromium: {path} ==", file=sys.stderr)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
