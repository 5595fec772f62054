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

    def test_each_button_says_what_it_is_about(self) -> None:
        # Words of somebody stand between marks of their direction.
        names = [button.get_attribute("aria-label").replace("\u2068", "").replace("\u2069", "") for button in self.panels.locator(".comment :is(.icon-button, .comment-actions button)").all()]
        for name in (f"{EDIT}: Oat?", f"{EDIT}: Yes", "Delete your answer: Yes", "Reply: Oat?", "Settle: Oat?"):
            self.assertEqual(names.count(name), 1, names)
        self.assertEqual(len(set(names)), len(names), names)
        # What opens the box goes, and comes back later: who went elsewhere meanwhile stays there.
        self.edit("Yes").press("Escape")
        self.has_focus("Yes")
        self.page.locator(".note").click()
        self.toggle()
        self.panels.wait_for(state="detached")
        self.toggle()
        self.remark("Yes").wait_for()
        self.page.wait_for_timeout(200)
        button = self.remark("Yes").get_by_role("button", name=EDIT)
        self.assertFalse(button.evaluate("button => button === document.activeElement"))

    def toggle(self) -> None:
        """Hides the panels, or shows them."""
        self.page.get_by_role("button", name="Comments, history and links").click()

    def test_a_box_that_loses_its_place(self) -> None:
        # Settled by somebody else: it is among those, and stays open.
        self.edit("Yes").fill("Half a corr")
        self.as_ben("--resolve", self.thread)
        self.panels.locator(".settled .answer textarea").wait_for()
        box = self.panels.get_by_role("textbox", name=EDIT)
        wait(lambda: box.is_visible() and box.input_value() == "Half a corr")
        wait(lambda: box.evaluate("box => box === document.activeElement"))
        # Deleted: the words stay, and become a comment of their own.
        self.ada.do(type="delete_comment", note=self.note, comment=self.thread)
        self.panels.get_by_text("Your text is still here.", exact=False).wait_for()
        self.assertEqual(box.input_value(), "Half a corr")
        self.assertEqual(findings(self.page), [])
        box.fill("Half a correction")
        self.panels.get_by_role("button", name="Make it a comment").click()
        said = self.panels.get_by_label("Comment", exact=True)
        wait(lambda: said.input_value() == "Half a correction")
        self.panels.get_by_text("Your text is still here.", exact=False).wait_for(state="detached")
        self.panels.get_by_label("Words of the note").fill("bread")
        self.panels.locator(".comment-form").get_by_role("button", name="Add the comment").click()
        self.remark("Half a correction").wait_for()

    def test_a_draft_hides_no_newer_words(self) -> None:
        box = self.edit("Yes")
        box.fill("Half a corr")
        box.press("Escape")
        self.ada.do(type="correct_comment", note=self.note, comment=self.thread, reply=self.threads()[0]["replies"][0]["id"], text="Yes, oat")
        self.remark("Yes, oat").wait_for()
        self.remark("Yes, oat").get_by_role("button", name=EDIT).click()
        box = self.panels.get_by_role("textbox", name=EDIT)
        self.assertEqual(box.input_value(), "Half a corr")
        self.panels.get_by_text("By now it says: “Yes, oat”").wait_for()
        self.panels.get_by_role("button", name="Cancel").click()
        self.assertEqual(self.edit("Yes, oat").input_value(), "Yes, oat")

    def test_what_cannot_be_sent_stands_in_the_form(self) -> None:
        # Nobody sees the words that it quotes; the service refuses them later.
        self.panels.get_by_role("button", name="Add the comment").first.click()
        self.panels.get_by_label("Words of the note").fill("Butter")
        said = self.panels.get_by_label("Comment", exact=True)
        self.assertEqual(said.get_attribute("maxlength"), "10000")
        said.fill("Salted?")
        self.panels.locator(".comment-form").get_by_role("button", name="Add the comment").click()
        self.panels.locator(".comment-form").get_by_text("The note does not say these words", exact=False).wait_for()
        self.assertEqual(said.input_value(), "Salted?")
        self.assertEqual(self.panels.get_by_label("Words of the note").input_value(), "Butter")
        self.panels.get_by_label("Words of the note").fill("bread")
        self.panels.locator(".comment-form").get_by_role("button", name="Add the comment").click()
        self.remark("Salted?").wait_for()

    def test_a_text_that_is_too_long(self) -> None:
        box = self.edit("Yes")
        box.evaluate("box => { box.value = 'x'.repeat(10001); box.dispatchEvent(new Event('input', { bubbles: true })) }")
        box.press("Enter")
        self.page.get_by_text("at most 10", exact=False).wait_for()
        self.assertEqual(len(box.input_value()), 10001)
        box.fill("Yes, please")
        box.press("Enter")
        self.remark("Yes, please").get_by_text("Edited").wait_for()

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
