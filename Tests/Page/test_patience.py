"""What a person does waits for nobody, and what others do never disturbs it."""

import unittest

from scene import Scene, wait
from test_agents import AGENT


class PatienceTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada, self.ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(self.ada, self.ben, "Ben", "Ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def test_send_waits_for_no_answer(self) -> None:
        page = self.scene.page(self.ada, delay=1.5)
        page.locator(".room").click()
        page.get_by_role("textbox").wait_for()
        page.keyboard.type("Here at once")
        self.assertEqual(page.get_by_role("textbox").input_value(), "Here at once")
        page.keyboard.press("Enter")
        # The answer takes three seconds at least; the bubble and the empty box are there long before.
        self.assertEqual(page.get_by_role("textbox").input_value(), "")
        page.locator(".unsent", has_text="Here at once").wait_for(timeout=2800)
        page.locator(".unsent").wait_for(state="detached")
        self.assertEqual(page.locator(".message.own", has_text="Here at once").count(), 1)

    def test_caret_selection_and_reading_stay(self) -> None:
        for number in range(60):
            self.ben.say("Ada", f"Line {number} of a longer conversation")
        page = self.scene.page(self.ada)
        page.locator(".room").click()
        page.get_by_text("Line 59 of").last.wait_for()
        box = page.get_by_role("textbox")
        box.fill("Some words that are being written")
        box.evaluate("box => box.setSelectionRange(5, 10, 'backward')")
        page.locator(".log").evaluate("log => log.scrollTo(0, 300)")
        page.wait_for_timeout(300)
        place = "log => [...log.querySelectorAll('.message')].find(row => row.textContent.includes('Line 12 of')).getBoundingClientRect().top"
        before = page.locator(".log").evaluate(place)
        for number in range(150):
            self.ben.say("Ada", f"Storm {number}")
        wait(lambda: "Storm 149" in page.locator(".room").first.inner_text())
        self.assertEqual(box.evaluate("box => [box === document.activeElement, box.selectionStart, box.selectionEnd, box.selectionDirection, box.value]"),
                         [True, 5, 10, "backward", "Some words that are being written"])
        self.assertAlmostEqual(page.locator(".log").evaluate(place), before, delta=1)
        # An input method keeps what it composes.
        box.evaluate("box => { box.value = ''; }")
        keys = page.context.new_cdp_session(page)
        keys.send("Input.imeSetComposition", {"text": "にほ", "selectionStart": 2, "selectionEnd": 2})
        for number in range(20):
            self.ben.say("Ada", f"Rain {number}")
        keys.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
        wait(lambda: "Rain 19" in page.locator(".room").first.inner_text())
        self.assertEqual(box.input_value(), "にほん")
        keys.send("Input.insertText", {"text": "日本"})
        self.assertEqual(box.input_value(), "日本")
        page.get_by_role("button", name="170 new", exact=True).click()
        page.wait_for_function("(() => { const log = document.querySelector('.log'); return log.scrollHeight - log.scrollTop - log.clientHeight < 40; })()")

    def test_nothing_typed_is_lost_when_the_host_is_killed(self) -> None:
        self.scene.meet(self.ada, self.ben, "Mira", "Ada again")
        page = self.scene.page(self.ada)
        # From one room to the other, so that the new host has to be told the right one.
        for name in ("Ben", "Mira"):
            page.locator(".room", has_text=name).click()
            page.locator(".head h1", has_text=name).wait_for()
        page.keyboard.type("Half a senten")
        self.ada.kill()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for()
        self.scene.complaints.clear()
        page.keyboard.type("ce, then the whole.")
        page.keyboard.press("Enter")
        page.locator(".unsent", has_text="Half a sentence, then the whole.").wait_for()
        self.ada.restart()
        page.locator(".unsent").wait_for(state="detached")
        page.locator(".message.own", has_text="Half a sentence, then the whole.").wait_for()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for(state="detached")
        self.assertEqual(page.locator("h1").last.inner_text(), "Mira")
        wait(lambda: "Half a sentence, then the whole." in self.ben.texts())
        self.assertEqual(self.ben.texts().count("Half a sentence, then the whole."), 1)
        self.assertEqual(page.locator(".message.own", has_text="Half a sentence, then the whole.").count(), 1)
        self.assertEqual(page.get_by_role("textbox").input_value(), "")
        self.scene.complaints[:] = [text for text in self.scene.complaints if "WebSocket" not in text]


class SlowWayTests(unittest.TestCase):
    """Each frame takes 150 milliseconds, so that an answer takes 300: what is typed is there at once, and stays as it is when the answers come."""

    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def state(self) -> dict:
        return self.ada.state()

    def write(self, page, text: str, written) -> None:
        """Letter by letter, while the answers to the first ones come."""
        for end in range(1, len(text) + 1):
            page.keyboard.type(text[end - 1])
            self.assertEqual(written(), text[:end])

    def test_a_note_takes_every_letter_at_once(self) -> None:
        page = self.scene.page(self.ada, delay=0.15)
        page.get_by_role("navigation").get_by_role("button", name="Notes", exact=True).click()
        page.get_by_role("button", name="New note").first.click()
        page.locator(".note:focus").wait_for()
        text = "Bread, oat milk and whatever else there is"
        self.write(page, text, page.locator(".note").inner_text)
        page.locator(".note-state", has_text="Saved").wait_for()
        self.assertEqual(page.locator(".note").inner_text(), text)
        wait(lambda: self.state()["notes"]["list"][0]["title"] == text)

    def test_the_composer_of_an_agent_takes_every_letter_at_once(self) -> None:
        self.ada.do(type="add_agent", name="helper", command=AGENT)
        page = self.scene.page(self.ada, delay=0.15)
        page.get_by_role("navigation").get_by_role("button", name="Agents", exact=True).click()
        page.locator(".agent-row", has_text="helper").click()
        page.get_by_label("The folder in which it works").fill(self.scene.folder)
        page.get_by_role("button", name="Begin a session").click()
        box = page.locator(".agent .composer textarea:focus")
        box.wait_for()
        for number, prompt in enumerate(("say what is to be done in the garden", "say it once more")):
            self.write(page, prompt, box.input_value)
            page.keyboard.press("Enter")
            self.assertEqual(box.input_value(), "")
            # What was asked is on the screen before anybody else has it, and once.
            page.wait_for_function("() => new Promise(requestAnimationFrame)")
            self.assertEqual(page.locator(".asked p").all_inner_texts()[number:], [prompt])
        # What is written meanwhile is nobody's prompt yet.
        self.write(page, "wait", box.input_value)
        page.locator(".answer").nth(1).wait_for()
        self.assertEqual(page.locator(".asked p").all_inner_texts(), ["say what is to be done in the garden", "say it once more"])
        self.assertEqual(box.input_value(), "wait")


if __name__ == "__main__":
    unittest.main()
