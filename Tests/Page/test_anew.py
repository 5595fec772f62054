"""A host that ends and begins anew under an open page: what was typed stands there again, and the person is where they were."""

import unittest

from scene import Scene, wait


class AnewTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def tearDown(self) -> None:
        self.assertEqual([text for text in self.scene.complaints if "WebSocket" not in text], [])

    def begin_anew(self, page) -> None:
        self.ada.kill()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for()
        self.ada.restart()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for(state="detached")

    def test_the_form_of_a_room(self) -> None:
        page = self.scene.page(self.ada)
        page.get_by_role("button", name="Invite somebody").click()
        page.get_by_role("heading", name="New room").wait_for()
        name = page.locator("form").get_by_role("textbox").first
        name.fill("Ben from work")
        # The core has heard of it.
        wait(lambda: "Ben from work" in self.ada.texts())
        self.begin_anew(page)
        wait(lambda: "Ben from work" in self.ada.texts())
        self.assertEqual(name.input_value(), "Ben from work")
        page.get_by_role("button", name="Make the room").click()
        wait(lambda: any(room.get("name") == "Ben from work" for room in self.ada.rooms()))

    def test_a_comment_and_an_answer(self) -> None:
        self.ada.make_note("Groceries")
        page = self.scene.page(self.ada)
        page.get_by_role("navigation").get_by_role("button", name="Notes").click()
        page.locator(".note-item", has_text="Groceries").click()
        page.locator(".note").click()
        page.keyboard.type("and oat milk")
        panels = page.locator(".panels")
        for quote, text in (("and oat", "First."), ("milk", "Sec")):
            panels.get_by_role("button", name="Add the comment").first.click()
            panels.get_by_label("Words of the note").fill(quote)
            panels.get_by_label("Comment", exact=True).fill(text)
            if text == "Sec":
                break
            panels.locator(".comment-form").get_by_role("button", name="Add the comment").click()
            panels.locator(".comment", has_text=text).wait_for()
        panels.get_by_role("button", name="Reply").click()
        panels.get_by_label("Reply").fill("Half an ans")
        wait(lambda: '"Sec"' in self.ada.texts())
        self.begin_anew(page)
        wait(lambda: '"Sec"' in self.ada.texts())
        answer = panels.get_by_label("Reply")
        wait(lambda: answer.input_value() == "Half an ans")
        self.assertEqual(panels.get_by_label("Comment", exact=True).input_value(), "Sec")
        panels.get_by_label("Comment", exact=True).fill("Second.")
        panels.locator(".comment-form").get_by_role("button", name="Add the comment").click()
        panels.locator(".comment", has_text="Second.").wait_for()

    def test_a_locked_one(self) -> None:
        self.ada.make_note("Groceries")
        words = self.ada.ask("reply", type="secret", text="six plain words are enough here", once=True)["result"]
        self.ada.do(type="set_passphrase", passphrase=words)
        wait(lambda: self.ada.state()["settings"].get("has_passphrase"))
        page = self.scene.page(self.ada)
        page.get_by_role("navigation").get_by_role("button", name="Notes").click()
        page.locator(".note-item", has_text="Groceries").click()
        page.locator(".note").wait_for()
        self.begin_anew(page)
        page.get_by_label("Passphrase", exact=True).fill("six plain words are enough here")
        page.keyboard.press("Enter")
        page.get_by_role("heading", level=1, name="Groceries").wait_for()
        page.locator(".note").click()
        page.keyboard.type("Bread")
        wait(lambda: "Bread" in page.locator(".note").inner_text())


if __name__ == "__main__":
    unittest.main()
