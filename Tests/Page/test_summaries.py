"""A room or a note is summarised in the page: all that is sent is shown before, and nothing goes out unasked."""

import subprocess
import sys
import unittest

from audit import findings
from scene import ROOT, Scene, wait


class SummaryTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def state(self) -> dict:
        return self.ada.state()

    def model(self, name: str = "local") -> None:
        server = subprocess.Popen([sys.executable, str(ROOT / "Tests/Interop/peers/model_server.py")], stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (server.kill(), server.wait(), server.stdout.close()))
        self.ada.do(type="add_model", name=name, url=f"http://127.0.0.1:{int(server.stdout.readline())}")

    def talk(self, *texts: str):
        """A page in the settings of a room in which this was said."""
        ben = self.scene.host("ben")
        self.scene.meet(self.ada, ben, "Ben", "Ada")
        for text in texts:
            ben.say("Ada", text)
            wait(lambda: text in self.ada.texts_as_written())
        page = self.scene.page(self.ada)
        page.locator(".room b", has_text="Ben").click()
        page.locator(".head-actions").get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Room settings").click()
        page.locator(".room-settings").wait_for()
        return page

    def test_a_room_is_shown_sent_and_summarised(self) -> None:
        self.model()
        page = self.talk("<b>At eight</b> \u202eo'clock", "x" * 3000)
        page.get_by_role("button", name="Summarise…").click()
        shown = page.locator(".summary pre")
        shown.wait_for()
        self.assertIn("Ben: <b>At eight</b> ⟨U+202E⟩o'clock\nBen: xxx", shown.inner_text())
        self.assertIn("on this machine", page.locator(".summary [role=radio]").inner_text())
        self.assertEqual(findings(page), [])
        page.get_by_role("button", name="Cancel", exact=True).click()
        page.locator(".room-settings").wait_for()
        self.assertEqual(self.state()["talks"]["sessions"], [])
        page.get_by_role("button", name="Summarise…").focus()
        page.keyboard.press("Enter")
        shown.wait_for()
        sent = shown.inner_text()
        page.get_by_role("button", name="Send this to local").focus()
        page.keyboard.press("Enter")
        page.locator(".answer", has_text="It says: Ben: At eight").wait_for()
        page.locator("h1", has_text="Summary of Ben").wait_for()
        # What is long is folded, and is what was shown.
        self.assertFalse(page.locator(".asked details > p").is_visible())
        self.assertEqual(findings(page), [])
        page.locator(".asked summary").click()
        self.assertEqual(page.locator(".asked details > p").inner_text().strip(), sent.strip())

    def test_without_a_model_the_page_says_how_to_get_one(self) -> None:
        page = self.talk("See you")
        page.get_by_role("button", name="Summarise…").click()
        page.get_by_text("No model was added").wait_for()
        page.get_by_text("alcove agent add local --openai").wait_for()
        self.assertEqual((page.locator(".summary pre").count(), findings(page)), (0, []))
        # It is here as soon as somebody adds one in a terminal.
        self.model()
        page.locator(".summary pre", has_text="See you").wait_for()

    def test_a_note_is_summarised_by_the_model_that_was_chosen(self) -> None:
        self.model()
        self.ada.do(type="add_model", name="elsewhere", url="https://model.example")
        self.ada.send(type="look", front=True)
        self.ada.do(type="create_note", title="Groceries")
        page = self.scene.page(self.ada, 390, 760)
        page.get_by_role("button", name="Notes", exact=True).click()
        page.locator(".note-item", has_text="Groceries").click()
        page.locator(".note-head button").last.click()
        page.get_by_role("button", name="Summarise…").click()
        page.locator(".summary pre", has_text="Groceries").wait_for()
        page.locator(".summary [role=radio]", has_text="elsewhere").click()
        page.get_by_role("button", name="Send this to elsewhere").wait_for()
        self.assertIn("NOT on this machine", page.locator(".summary [aria-checked=true]").inner_text())
        page.locator(".summary [role=radio]", has_text="local").click()
        page.get_by_role("button", name="Send this to local").click()
        page.locator(".answer", has_text="Groceries").wait_for()
        page.locator("h1", has_text="Summary of Groceries").wait_for()


if __name__ == "__main__":
    unittest.main()
