"""The page's tree is the host's after any number of patches."""

import subprocess
import unittest

from scene import ROOT, Scene


class TreeTests(unittest.TestCase):
    def test_random_walks(self) -> None:
        with Scene() as scene:
            for seed, scenario in enumerate(["rooms_list", "message_answered", "settings"], start=1):
                with self.subTest(seed=seed, scenario=scenario):
                    host = scene.host(scenario, "--scenario", scenario)
                    walk = subprocess.run(
                        ["node", ROOT / "Tests/Page/follow.mjs", f"{host.profile}/host.sock", str(seed), "240"],
                        capture_output=True, text=True, timeout=120)
                    self.assertEqual(walk.returncode, 0, walk.stdout[-2000:] + walk.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
