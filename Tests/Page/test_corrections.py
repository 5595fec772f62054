"""What one said about a note is corrected in its place and deleted; what others said stays as it is."""

import json
import unittest

from audit import findings
from scene import wait
from test_editor import Notes

EDIT = "Edit what you said"


class CorrectionTests(Notes):
    def setUp(self) -> None:
        super().setUp()
        self.note = self.new_note(self.ada, "# Groceries\n\nMilk and bread")
        self.ada.do(type="comment_note", note=self.note, quote="Milk", text="Oat?")
        wait(lambda: self.threads())
        self.thread = self.threads()[0]["id"]
        self.ada.do(type="reply_to_comment", note=self.note, comment=self.thread, text="Yes")
        wait(lambda: self.threads()[0]["replies"])
        self.as_ben("--reply", self.thread, "Rather soy")
        self.page = self.open(self.ada)
        self.panels = self.page.locator(".panels")
        self.remark("Rather soy").wait_for()

    def as_ben(self, *words: str) -> str:
        """Ben has a profile of his own, and the same folder of notes."""
        return self.notes(self.ada, "comment", self.note, *words, "--profile", f"{self.scene.folder}/ben", "--as", "Ben")

    def threads(self) -> list[dict]:
        return json.loads(self.as_ben("--json"))

    def remark(self, text: str):
        return self.panels.locator(".remark", has_text=text)

    def edit(self, text: str):
        """The box in which something said is corrected."""
        self.remark(text).get_by_role("button", name=EDIT).click()
        box = self.panels.get_by_role("textbox", name=EDIT)
        wait(lambda: box.evaluate("box => box === document.activeElement"))
        return box

    def has_focus(self, text: str) -> None:
        """It is on the button that corrects this."""
        button = self.remark(text).get_by_role("button", name=EDIT)
        wait(lambda: button.evaluate("button => button === document.activeElement"))

    def test_a_comment_and_an_answer_are_corrected(self) -> None:
        for before, after in (("Oat?", "Oat milk?"), ("Yes", "Yes, please")):
            self.assertEqual(self.remark(before).get_by_text("Edited").count(), 0)
            box = self.edit(before)
            self.assertEqual(box.input_value(), before)
            box.fill(after)
            self.assertEqual(findings(self.page), [])
            box.press("Enter")
            self.remark(after).get_by_text("Edited").wait_for()
            self.has_focus(after)
        self.assertEqual(findings(self.page), [])
        (thread,) = self.threads()
        self.assertEqual(thread["text"], "Oat milk?")
        self.assertEqual({reply["text"] for reply in thread["replies"]}, {"Yes, please", "Rather soy"})
        # What the comment is about still stands above it.
        self.panels.locator(".comment-quote", has_text="Milk").wait_for()

    def test_what_others_said_is_theirs(self) -> None:
        self.assertEqual(self.remark("Rather soy").get_by_role("button").count(), 0)
        self.assertEqual(self.panels.get_by_role("button", name=EDIT).count(), 2)
        self.assertEqual(self.panels.get_by_role("button", name="Delete your answer").count(), 1)

    def test_an_answer_is_deleted_after_a_question(self) -> None:
        self.remark("Yes").get_by_role("button", name="Delete your answer").click()
        question = self.page.get_by_role("dialog")
        question.get_by_role("button", name="Cancel").click()
        self.remark("Yes").get_by_role("button", name="Delete your answer").click()
        question.get_by_role("button", name="Delete your answer").click()
        self.remark("Yes").wait_for(state="detached")
        self.remark("Rather soy").wait_for()
        wait(lambda: [reply["text"] for reply in self.threads()[0]["replies"]] == ["Rather soy"])

    def test_what_was_begun_stays_and_nothing_is_not_said(self) -> None:
        box = self.edit("Yes")
        box.fill("Half a corr")
        box.press("Escape")
        self.has_focus("Yes")
        # It is no part of another one, nor of an answer.
        self.assertEqual(self.edit("Oat?").input_value(), "Oat?")
        self.panels.get_by_role("button", name="Reply").click()
        self.assertEqual(self.panels.get_by_role("textbox", name="Reply").input_value(), "")
        box = self.edit("Yes")
        self.assertEqual(box.input_value(), "Half a corr")
        self.panels.get_by_role("button", name="Cancel").click()
        self.has_focus("Yes")
        for text in ("  ", "Yes"):
            box = self.edit("Yes")
            self.assertEqual(box.input_value(), "Yes")
            box.fill(text)
            box.press("Enter")
            self.has_focus("Yes")
        self.assertEqual(self.remark("Yes").get_by_text("Edited").count(), 0)

    def test_with_keys_alone(self) -> None:
        self.remark("Yes").get_by_role("button", name=EDIT).focus()
        self.page.keyboard.press("Enter")
        box = self.panels.get_by_role("textbox", name=EDIT)
        wait(lambda: box.evaluate("box => box === document.activeElement"))
        self.page.keyboard.press("End")
        self.page.keyboard.type("!")
        self.page.keyboard.press("Shift+Enter")
        self.page.keyboard.type("Two.")
        self.page.keyboard.press("Enter")
        self.has_focus("Two.")
        wait(lambda: "Yes!\nTwo." in [reply["text"] for reply in self.threads()[0]["replies"]])
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        question = self.page.get_by_role("dialog")
        question.wait_for()
        self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")
        self.remark("Two.").wait_for(state="detached")

    def test_a_host_that_begins_anew(self) -> None:
        self.edit("Yes").fill("Half a corr")
        self.ada.kill()
        self.page.get_by_text("Not connected to Alcove.", exact=False).wait_for()
        self.ada.restart()
        self.page.get_by_text("Not connected to Alcove.", exact=False).wait_for(state="detached")
        box = self.panels.get_by_role("textbox", name=EDIT)
        wait(lambda: box.input_value() == "Half a corr")

        def is_saved() -> bool:
            # What comes to the new host before it has the note stands in its box again.
            if box.count():
                box.press("Enter")
                self.page.wait_for_timeout(300)
            return self.remark("Half a corr").get_by_text("Edited").count() > 0

        wait(is_saved)
        # A connection that breaks is said on the console.
        self.scene.complaints[:] = [text for text in self.scene.complaints if "WebSocket" not in text]


if __name__ == "__main__":
    unittest.main()
