"""What a screen reader has of every screen: names, roles and states, as files to be read in trees/. TREES=write writes them anew. What comes is
announced once."""

import difflib
import os
import pathlib
import re
import unittest

from scene import Scene, wait
from screens import Tour, furnish
from trees import tree

FOLDER = pathlib.Path(__file__).parent / "trees"
# Whoever uses one of these has to be told what it is.
NAMED = re.compile(r"^\s*(button|link|textbox|searchbox|combobox|checkbox|switch|radio|slider|menuitem|option|tab|dialog|navigation|complementary|image|img) ''", re.MULTILINE)
ANNOUNCED = """() => {
    window.announced = [];
    new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) {
            const region = node.parentElement?.closest("[role=log], [aria-live], [role=status], [role=alert]");
            if (region && (region.getAttribute("aria-live") ?? "polite") !== "off") window.announced.push(node.textContent);
        }
    }).observe(document.body, { childList: true, subtree: true });
}"""


class TreeTests(unittest.TestCase):
    maxDiff = None

    def test_every_screen(self) -> None:
        with Scene() as scene:
            ada, _ = furnish(scene)
            page = scene.page(ada)
            Tour(page, lambda name: self.check(page, name)).everything()
            self.assertEqual(scene.complaints, [])

    def check(self, page, name: str) -> None:
        page.mouse.move(0, 0)
        page.wait_for_timeout(300)
        file = FOLDER / f"{name.replace(' ', '-')}.txt"
        with self.subTest(screen=name):
            if os.environ.get("TREES") == "write":
                FOLDER.mkdir(exist_ok=True)
                file.write_text(tree(page))
            known = file.read_text()
            self.assertEqual(NAMED.findall(known), [], "something has no name")

            def differences() -> list[str]:
                return list(difflib.unified_diff(known.splitlines(), tree(page).splitlines(), "known", "now", lineterm="", n=1))

            # A screen may still be filling.
            try:
                wait(lambda: not differences(), 10)
            except AssertionError:
                self.fail("\n".join(differences()))

    def test_what_comes_is_announced_once(self) -> None:
        with Scene() as scene:
            ada, ben = scene.host("ada"), scene.host("ben")
            scene.meet(ada, ben, "Ben", "Ada")
            page = scene.page(ada)
            page.locator(".room").click()
            page.locator(".composer textarea").wait_for()
            ben.say("Ada", "The first")
            page.locator(".message", has_text="The first").wait_for()
            page.evaluate(ANNOUNCED)
            for number in range(3):
                ben.say("Ada", f"News {number}")
                page.locator(".message", has=page.get_by_text(f"News {number}", exact=True)).wait_for()
            said = " ".join(page.evaluate("window.announced"))
            self.assertEqual([said.count(f"News {number}") for number in range(3)], [1, 1, 1])
            log = re.search(r"log 'Messages'.*", tree(page))
            self.assertIn("live=polite", log.group())
            # Whoever reads further up is not interrupted.
            for number in range(40):
                ben.say("Ada", f"Filler {number}")
            page.locator(".message", has_text="Filler 39").wait_for()
            page.locator(".log").evaluate("log => log.scrollTo(0, 0)")
            page.locator(".log[aria-live=off]").wait_for()


if __name__ == "__main__":
    unittest.main()
