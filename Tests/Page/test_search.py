"""Search: over all rooms and in one, by keys, to the place of a message and back to the newest."""

import unittest

from audit import findings
from scene import Scene, wait

MESSAGES = 230


class SearchTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada, self.ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(self.ada, self.ben, "Ben", "Ada")
        self.scene.meet(self.ada, self.ben, "Mira", "Ada, too")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def test_to_its_place_and_back(self) -> None:
        self.ada.say("Ben", "A needle, and a Café")
        for number in range(MESSAGES):
            self.ada.say("Ben", f"Hay {number}")
        page = self.scene.page(self.ada)
        page.locator(".room", has_text="Ben").click()
        page.locator(".message", has=page.get_by_text(f"Hay {MESSAGES - 1}", exact=True)).wait_for()
        page.keyboard.press("Control+f")
        page.get_by_role("heading", name="Search in Ben").wait_for()
        page.keyboard.type("cafe NEEDLE")
        page.locator(".hit").wait_for()
        self.assertEqual(page.locator(".hit mark").all_inner_texts(), ["needle", "Café"])
        page.keyboard.press("Enter")
        place = page.locator(".message", has_text="A needle")
        place.wait_for()
        wait(lambda: 0 < place.bounding_box()["y"] < 800)
        page.get_by_role("button", name="Go to the newest message").click()
        page.locator(".message", has=page.get_by_text(f"Hay {MESSAGES - 1}", exact=True)).wait_for()

    def test_over_all_rooms_by_keys(self) -> None:
        self.ada.say("Ben", "Through two tunnels")
        self.ada.say("Mira", "No tunnel here")
        page = self.scene.page(self.ada)
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").wait_for()
        page.keyboard.type("tunnel")
        page.get_by_role("option", name="Search all messages for").wait_for()
        page.keyboard.press("Enter")
        page.locator(".hit").nth(1).wait_for()
        self.assertEqual(page.locator(".query").input_value(), "tunnel")
        self.assertEqual({name.split("\n")[1] for name in page.locator(".results .group-name").all_inner_texts()}, {"Ben", "Mira"})
        self.assertEqual(findings(page), [])
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        self.assertTrue(page.locator(".hit").nth(1).evaluate("row => row === document.activeElement"))
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        self.assertTrue(page.locator(".query").evaluate("box => box === document.activeElement"))
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.locator(".message.found", has_text="unnel").wait_for()
        page.get_by_role("button", name="Back", exact=True).click()
        page.locator(".hit").nth(1).wait_for()
        page.locator(".query").fill("nowhere")
        page.get_by_text("Nothing was found.").wait_for()

    def test_narrow_and_mirrored(self) -> None:
        self.ada.say("Ben", "Through two tunnels")
        wait(lambda: "tunnels" in self.ben.texts())
        for theme in ("light", "dark"):
            page = self.scene.page(self.ada, 360, 740, theme)
            page.keyboard.press("Control+Shift+f")
            page.locator(".query").fill("two")
            page.locator(".hit").wait_for()
            self.assertEqual(findings(page), [])
            page.context.close()
        mirrored = self.scene.page(self.ada, query="?language=he-x-mirrored")
        mirrored.keyboard.press("Control+Shift+f")
        mirrored.locator(".query").fill("two")
        mirrored.locator(".hit").wait_for()
        self.assertEqual(findings(mirrored), [])


if __name__ == "__main__":
    unittest.main()
