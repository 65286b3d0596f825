# SPDX-License-Identifier: Apache-2.0
"""Opens a page in headless Chromium: for bench-browser and bench-live."""

import contextlib
import os
import shutil
import subprocess
import tempfile

NAMES = ["chromium", "chromium-browser", "google-chrome"]


def find():
    """The path of Chromium; None if it is not installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def version(browser):
    return subprocess.run([browser, "--version"], capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def opened(browser, address, size="1280,720"):
    """A page in a browser of its own, until the block ends."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = [browser, "--headless=new", "--no-first-run", "--mute-audio", f"--window-size={size}",
                 "--hide-scrollbars", f"--user-data-dir={profile}", address]
        if os.geteuid() == 0:
            words.insert(1, "--no-sandbox")
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield process
        finally:
            end(process)


def end(process, patience_s=10):
    """Asks a program to end, and kills it if it does not."""
    process.terminate()
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
