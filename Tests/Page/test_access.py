"""Everybody can use it: no finding of axe in any theme at any width, at twice the size, and mirrored."""

import unittest

from audit import findings
from scene import Scene

WIDTHS = [(360, 740), (768, 1024), (1280, 800), (1920, 1080)]


class AccessTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada, self.ben = self.scene.host("ada"), self.scene.host("ben")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def check(self, page, where: str) -> None:
        with self.subTest(where=where):
            self.assertEqual(findings(page), [])

    def test_every_screen(self) -> None:
        self.scene.meet(self.ada, self.ben, "Ben", "Ada")
        self.ben.say("Ada", "Did it arrive? https://example.org")
        self.ada.say("Ben", "It did.")
        code, _ = self.ada.invite("Mira")
        self.assertEqual(len(code), 6)
        for theme in ("light", "dark"):
            for width, height in WIDTHS:
                self.walk(theme, width, height)

    def walk(self, theme: str, width: int, height: int) -> None:
        page = self.scene.page(self.ada, width, height, theme)
        where = f"{theme} {width}"
        self.check(page, f"{where} rooms")
        page.locator(".room", has_text="Ben").click()
        page.locator(".message").first.wait_for()
        self.check(page, f"{where} conversation")
        page.get_by_role("button", name="More", exact=True).first.click()
        self.check(page, f"{where} menu")
        page.get_by_role("menuitem", name="Room settings").click()
        page.get_by_text("Both keep messages").wait_for()
        self.check(page, f"{where} room settings")
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").wait_for()
        page.keyboard.type("Mira")
        page.keyboard.press("Enter")
        page.locator(".words").wait_for()
        self.check(page, f"{where} invitation")
        page.keyboard.press("Control+k")
        page.get_by_role("combobox").wait_for()
        self.check(page, f"{where} palette")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+Shift+O")
        page.get_by_role("button", name="Make the room").wait_for()
        self.check(page, f"{where} new room")
        page.context.close()

    def test_first_steps_and_lock(self) -> None:
        for theme in ("light", "dark"):
            for width, height in WIDTHS[:3]:
                page = self.scene.page(self.ada, width, height, theme)
                self.check(page, f"{theme} {width} welcome")
                page.keyboard.press("?")
                page.get_by_role("dialog").wait_for()
                self.check(page, f"{theme} {width} shortcuts")
                page.keyboard.press("Escape")
                for place in ("Settings", "Your circle", "Notes", "Apps"):
                    page.get_by_role("navigation").get_by_role("button", name=place, exact=True).click()
                    page.get_by_role("heading", level=1, name=place).wait_for()
                    self.check(page, f"{theme} {width} {place}")
                    if width < 720:
                        page.get_by_role("button", name="Back", exact=True).click()
                        page.get_by_role("heading", name="Rooms", exact=True).wait_for()
                page.context.close()
        page = self.scene.page(self.ben)
        page.get_by_role("navigation").get_by_role("button", name="Settings").click()
        page.get_by_label("New passphrase").fill("six plain words are enough here")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("The passphrase is set.", exact=False).wait_for()
        self.check(page, "notice")
        page.get_by_role("main").get_by_role("button", name="Lock now").click()
        page.get_by_role("heading", name="Alcove is locked").wait_for()
        self.check(page, "lock")

    def test_twice_the_size(self) -> None:
        self.scene.meet(self.ada, self.ben, "Ben", "Ada")
        page = self.scene.page(self.ada, 640, 400, device_scale_factor=2)
        page.locator(".room").click()
        page.get_by_role("textbox").fill("It can be used")
        page.get_by_role("button", name="Send", exact=True).click()
        page.locator(".message.own", has_text="It can be used").wait_for()
        self.check(page, "twice the size")

    def test_mirrored(self) -> None:
        page = self.scene.page(self.ada, query="?language=he-x-mirrored")
        rail, main = page.locator(".rail").bounding_box(), page.locator("main").bounding_box()
        self.assertGreater(rail["x"], main["x"])
        self.check(page, "mirrored")
        words = page.locator("body").inner_text()
        forgotten = [word for word in words.split() if word.isascii() and word.isalpha() and len(word) > 1 and word not in ("Ctrl", "K")]
        self.assertEqual(forgotten, [])


if __name__ == "__main__":
    unittest.main()
