"""A connection that breaks with any frame of the host, which is lost: what was typed stays, what was sent comes, and comes once."""

import json
import unittest
import urllib.parse
import urllib.request

from scene import Scene, wait
from test_agents import AGENT


class CutTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def open(self):
        """A page that talks to its host through the program that cuts."""
        page = self.scene.page(self.ada, delay=0.001)
        self.bridge = f"http://{urllib.parse.urlsplit(page.url).netloc}/cuts"
        return page

    def cut(self, most: int) -> None:
        with urllib.request.urlopen(f"{self.bridge}?most={most}", data=b""):
            pass

    def cuts(self) -> list[str]:
        with urllib.request.urlopen(self.bridge) as answer:
            return json.load(answer)

    def test_a_conversation(self) -> None:
        ben = self.scene.host("ben")
        self.scene.meet(self.ada, ben, "Ben", "Ada")
        page = self.open()
        page.locator(".room").click()
        box = page.locator(".composer textarea:focus")
        box.wait_for()
        self.cut(most := 10)
        said: list[str] = []
        while len(self.cuts()) < most:
            said.append(f"Line {len(said)}, begun and ended")
            page.keyboard.type(said[-1][:-6])
            # The host has the draft, so that it may answer to that when the connection breaks.
            wait(lambda: said[-1][:-6] in self.ada.texts())
            page.keyboard.type(said[-1][-6:])
            self.assertEqual(box.input_value(), said[-1])
            page.keyboard.press("Enter")
            self.assertEqual(box.input_value(), "")
            wait(page.locator(".message.own:not(.unsent)", has_text=said[-1]).count)
        wait(lambda: said[-1] in ben.texts())
        self.assertEqual(page.locator(".message.own .text").all_inner_texts(), said)
        self.assertEqual([text for text in said if ben.texts().count(f'"{text}"') != 1], [])
        self.assertLessEqual({"welcome", "tree", "did"}, set(self.cuts()))

    def test_a_note(self) -> None:
        page = self.open()
        page.get_by_role("navigation").get_by_role("button", name="Notes", exact=True).click()
        page.get_by_role("button", name="New note").first.click()
        note = page.locator(".note:focus")
        note.wait_for()
        self.cut(most := 8)
        text = ""
        while len(self.cuts()) < most:
            word = f"word{text.count(' ')} "
            page.keyboard.type(word)
            text += word
            self.assertEqual(note.inner_text().strip(), text.strip())
            wait(lambda: "Saved" in page.locator(".note-state").inner_text())
        other = self.scene.page(self.ada)
        other.get_by_role("navigation").get_by_role("button", name="Notes", exact=True).click()
        other.locator(".note-item").click()
        wait(lambda: other.locator(".note").inner_text().strip() == text.strip())
        self.assertLessEqual({"welcome", "tree", "reply"}, set(self.cuts()))

    def test_a_session_with_an_agent(self) -> None:
        self.ada.do(type="add_agent", name="helper", command=AGENT)
        page = self.open()
        page.get_by_role("navigation").get_by_role("button", name="Agents", exact=True).click()
        page.locator(".agent-row", has_text="helper").click()
        page.get_by_label("The folder in which it works").fill(self.scene.folder)
        page.get_by_role("button", name="Begin a session").click()
        box = page.locator(".agent .composer textarea:focus")
        box.wait_for()
        self.cut(most := 10)
        asked: list[str] = []
        while len(self.cuts()) < most:
            asked.append(f"say {len(asked)}, once")
            page.keyboard.type(asked[-1])
            self.assertEqual(box.input_value(), asked[-1])
            page.keyboard.press("Enter")
            self.assertEqual(box.input_value(), "")
            wait(lambda: page.locator(".answer").count() == len(asked))
        self.assertEqual(page.locator(".asked p").all_inner_texts(), asked)
        self.assertEqual(page.locator(".answer").count(), len(asked))
        self.assertEqual(box.input_value(), "")
        self.assertLessEqual({"welcome", "tree", "did"}, set(self.cuts()))


if __name__ == "__main__":
    unittest.main()
