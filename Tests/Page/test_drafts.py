"""Comments and answers that are being written: they stay until they are sent or called off, and come back when the host does not take them."""

import json
import re
import unittest

from scene import wait
from test_editor import Notes


class DraftTests(Notes):
    def setUp(self) -> None:
        super().setUp()
        self.note = self.new_note(self.ada, "# Groceries\n\nMilk and bread")
        self.page = self.open(self.ada)
        self.panels = self.page.locator(".panels")
        for quote, text in (("Milk", "Oat?"), ("bread", "Rye?")):
            self.begin(quote, text)
            self.send()
            self.thread(text).wait_for()

    def thread(self, text: str):
        return self.panels.locator(".comment", has_text=text)

    def begin(self, quote: str, text: str) -> None:
        """Fills the form for a comment."""
        self.panels.get_by_role("button", name="Add the comment").first.click()
        self.panels.get_by_label("Words of the note").fill(quote)
        self.panels.get_by_label("Comment", exact=True).fill(text)

    def send(self) -> None:
        self.panels.locator(".comment-form").get_by_role("button", name="Add the comment").click()

    def reply(self, text: str):
        """The box for an answer to a thread."""
        self.thread(text).get_by_role("button", name="Reply").click()
        box = self.thread(text).get_by_role("textbox")
        wait(lambda: box.evaluate("box => box === document.activeElement"))
        return box

    def toggle(self) -> None:
        """Hides the panels, or shows them."""
        self.page.get_by_role("button", name="Comments, history and links").click()

    def test_what_was_begun_stays(self) -> None:
        self.reply("Oat?").fill("Half an answer")
        self.reply("Rye?").fill("Another half")
        self.assertEqual(self.reply("Oat?").input_value(), "Half an answer")
        self.toggle()
        self.panels.wait_for(state="detached")
        # It comes back, and takes the focus from nobody.
        self.page.locator(".note").click()
        self.page.keyboard.press("Control+f")
        find = self.page.get_by_role("textbox", name="Find", exact=True)
        find.wait_for()
        self.page.evaluate("document.querySelector('[aria-label=\"Comments, history and links\"]').click()")
        box = self.thread("Oat?").get_by_role("textbox")
        box.wait_for()
        self.assertEqual(box.input_value(), "Half an answer")
        self.assertTrue(find.evaluate("find => find === document.activeElement"))
        find.press("Escape")
        # Escape only leaves it.
        box.press("Escape")
        self.assertEqual(self.reply("Oat?").input_value(), "Half an answer")
        self.thread("Oat?").get_by_role("button", name="Cancel").click()
        self.assertEqual(self.reply("Oat?").input_value(), "")
        self.assertEqual(self.reply("Rye?").input_value(), "Another half")
        self.page.keyboard.press("Enter")
        self.thread("Rye?").get_by_text("Another half").wait_for()
        self.assertEqual(self.reply("Rye?").input_value(), "")

    def test_a_form_closes_with_its_note(self) -> None:
        self.begin("Milk", "Half a comment")
        self.page.get_by_role("button", name="Back", exact=True).click()
        self.page.locator(".note").wait_for(state="detached")
        self.page.locator(".note-item", has_text="Groceries").click()
        self.thread("Oat?").wait_for()
        self.assertEqual(self.page.locator(".comment-form").count(), 0)

    def answers(self, code: str) -> None:
        """From now on the host says this of comments and answers; those that it refuses do not come to it."""
        def connect(socket) -> None:
            host, numbers = socket.connect_to_server(), set()

            def out(text) -> None:
                frame = json.loads(text)
                if frame["type"] != "act" or (frame["node"], frame["offer"]) != ("note.comment.submit", "tap") and frame["offer"] != "reply":
                    return host.send(text)
                numbers.add(frame["n"])
                if code == "unsaved":
                    return host.send(text)
                return socket.send(json.dumps({"type": "did", "n": frame["n"], "code": code}))

            def back(text) -> None:
                frame = json.loads(text)
                socket.send(json.dumps(frame | {"code": code}) if frame["type"] == "did" and frame["n"] in numbers else text)

            socket.on_message(out)
            host.on_message(back)

        self.page.route_web_socket(re.compile("/socket$"), connect)
        self.page.reload()
        self.thread("Oat?").wait_for()

    def test_what_the_host_refuses_comes_back(self) -> None:
        self.answers("refused")
        box = self.reply("Oat?")
        box.fill("Rather not")
        box.press("Enter")
        self.page.get_by_text("Not sent.").first.wait_for()
        wait(lambda: box.input_value() == "Rather not")
        self.thread("Oat?").get_by_role("button", name="Cancel").click()
        self.begin("bread", "White?")
        self.send()
        self.page.locator(".comment-form").wait_for()
        wait(lambda: self.panels.get_by_label("Comment", exact=True).input_value() == "White?")

    def test_what_is_not_on_the_disk_yet_was_said(self) -> None:
        self.answers("unsaved")
        self.begin("bread", "White?")
        self.send()
        self.thread("White?").wait_for()
        self.page.wait_for_timeout(300)
        self.assertEqual(self.page.locator(".comment-form").count(), 0)
        self.assertEqual(self.page.locator(".toast:not([hidden])").count(), 0)


if __name__ == "__main__":
    unittest.main()
