"""Runs every test of this folder, and those that failed once more, each by itself: suite.py [NAME …]

A browser on a machine that others use misses a moment now and then. What fails twice has failed; what failed once is named at the end, so that
nobody overlooks it. Many failures are no accident, and are not tried again.
"""

import pathlib
import re
import sys
import time
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
# More failures than this are a fault of what is tested.
FEW = 8
# So many of the slowest tests are named.
SLOW = 20


class Timed(unittest.TextTestResult):
    """Knows how long each test took, so that a suite that grows shows where."""

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.began = time.monotonic()

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self.times = [*getattr(self, "times", []), (time.monotonic() - self.began, test.id())]


def run(suite: unittest.TestSuite) -> unittest.TestResult:
    result = unittest.TextTestRunner(verbosity=1, resultclass=Timed).run(suite)
    for seconds, name in sorted(getattr(result, "times", []), reverse=True)[:SLOW]:
        print(f"{seconds:6.1f} s  {name}", file=sys.stderr)
    return result


def failed(result: unittest.TestResult) -> list[str]:
    """The names of the tests that failed, or of the class whose preparation did: that one is called "setUpClass (module.Class)". A part of a
    test says more in brackets after the name."""
    names = (re.sub(r"^\w+ \((.*)\)$", r"\1", test.id()) for test, _ in result.failures + result.errors)
    return sorted({name.split(" ")[0] for name in names})


def main(chosen: list[str]) -> int:
    loader = unittest.TestLoader()
    first = run(loader.loadTestsFromNames(chosen) if chosen else loader.discover(str(FOLDER)))
    if first.wasSuccessful():
        return 0
    names = failed(first)
    if len(names) > FEW or first.unexpectedSuccesses:
        return 1
    print(f"\nonce more, by themselves: {', '.join(names)}", file=sys.stderr)
    again = [name for name in names if not run(loader.loadTestsFromName(name)).wasSuccessful()]
    if again:
        print(f"failed twice: {', '.join(again)}", file=sys.stderr)
        return 1
    print(f"UNSTEADY, passed by themselves: {', '.join(names)}", file=sys.stderr)
    return 0


sys.exit(main(sys.argv[1:]))
