"""Notes in the page: what is written meets what others write, and nothing is lost."""

import collections
import json
import subprocess
import time
import unittest

from audit import findings
from scene import ALCOVE, Host, Scene, wait


class Notes(unittest.TestCase):
    """A scene, and what a person does with notes."""

    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def notes(self, host: Host, *words: str, text: str = "") -> str:
        command = [ALCOVE, "note", *words, "--dir", f"{host.profile}/Notes"]
        return subprocess.run([str(word) for word in command], input=text, text=True, capture_output=True, check=True).stdout

    def state(self, host: Host) -> dict:
        return host.state()["notes"]

    def new_note(self, host: Host, text: str) -> str:
        """A note with this text, written as a terminal does it."""
        host.do(type="open_notes")
        wait(lambda: self.state(host)["is_listed"])
        before = {note["id"] for note in self.state(host)["list"]}
        host.do(type="create_note", title="New")
        wait(lambda: {note["id"] for note in self.state(host)["list"]} - before)
        (note,) = {note["id"] for note in self.state(host)["list"]} - before
        host.do(type="open_note", note=note)
        wait(lambda: any(editor.get("text") for editor in self.state(host)["editors"]))
        host.do(type="edit_note", text=text)
        host.do(type="close_note")
        wait(lambda: not self.state(host)["drafts"])
        return note

    def open(self, host: Host, title: str = "Groceries", **options):
        page = self.scene.page(host, **options)
        page.get_by_role("button", name="Notes").first.click()
        page.locator(".note-item", has_text=title).first.click()
        page.locator(".note").wait_for()
        return page

    def markdown(self, host: Host, note: str) -> str:
        return self.notes(host, "show", note)

    def paste_picture(self, page) -> None:
        """Pastes a picture of 8 by 4 at the caret."""
        page.evaluate("""async () => {
            const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 4 });
            const blob = await new Promise(done => canvas.toBlob(done));
            const data = new DataTransfer();
            data.items.add(new File([blob], 'sea.png', { type: 'image/png' }));
            document.querySelector('.note').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        }""")

    def saved(self, page) -> None:
        page.locator(".note-state", has_text="Saved").wait_for()

    def write(self, page, text: str) -> None:
        """Writes at the end of the note."""
        page.locator(".note").click()
        page.keyboard.press("Control+End")
        page.keyboard.type(text)


class NoteTests(Notes):
    def setUp(self) -> None:
        super().setUp()
        self.note = self.new_note(self.ada, "# Groceries\n\nMilk")

    def test_two_pages_and_a_terminal_write_at_once(self) -> None:
        one, other = self.open(self.ada), self.open(self.ada)
        self.write(one, ", bread")
        other.locator(".note", has_text="Milk, bread").wait_for()
        other.locator(".note > p").first.click()
        other.keyboard.press("Home")
        for number, letter in enumerate("Oats, "):
            other.keyboard.type(letter)
            if number == 2:
                self.ada.do(type="append_to_note", note=self.note, text="from a terminal")
        one.locator(".note", has_text="Oats, Milk, bread").wait_for()
        for page in (one, other):
            page.locator(".note > p", has_text="from a terminal").wait_for()
            self.saved(page)
        wait(lambda: "Oats, Milk, bread" in self.markdown(self.ada, self.note))
        self.assertIn("from a terminal", self.markdown(self.ada, self.note))

    def test_nothing_is_lost_when_the_host_is_killed(self) -> None:
        page = self.open(self.ada)
        self.write(page, ", and before it ended")
        self.ada.kill()
        page.locator(".note-state", has_text="Not connected: kept here").wait_for()
        page.keyboard.type(", and after")
        self.scene.complaints.clear()
        self.ada.restart()
        self.saved(page)
        self.assertIn("Milk, and before it ended, and after", self.markdown(self.ada, self.note))
        self.write(page, " all")
        self.saved(page)
        wait(lambda: "and after all" in self.markdown(self.ada, self.note))
        self.scene.complaints[:] = [text for text in self.scene.complaints if "WebSocket" not in text]

    def test_what_was_written_before_leaving_is_saved(self) -> None:
        page = self.open(self.ada)
        self.write(page, ", and gone")
        page.get_by_role("button", name="Back", exact=True).click()
        page.locator(".note").wait_for(state="detached")
        wait(lambda: "Milk, and gone" in self.markdown(self.ada, self.note))

    def test_in_the_trash_it_is_read_only(self) -> None:
        page = self.open(self.ada)
        page.locator(".note-bar").wait_for()
        self.ada.do(type="delete_note", note=self.note)
        page.locator(".note-state", has_text="Read-only").wait_for()
        self.assertEqual(page.locator(".note").get_attribute("contenteditable"), "false")
        self.assertEqual(page.locator(".note-bar").count(), 0)
        page.get_by_role("button", name="Restore the note").click()
        page.locator(".note-bar").wait_for()
        self.write(page, " again")
        self.saved(page)
        wait(lambda: "Milk again" in self.markdown(self.ada, self.note))

    def test_formats_by_keys_bar_and_slash(self) -> None:
        page = self.open(self.ada)
        self.write(page, "\n/tas")
        page.get_by_role("option", name="Tasks").wait_for()
        page.keyboard.press("Enter")
        page.keyboard.type("stove")
        page.locator(".note li.task .box").click()
        page.locator(".note li.task[data-checked='checked']").wait_for()
        page.keyboard.press("Control+End")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.keyboard.type("a word")
        page.keyboard.press("Control+Shift+ArrowLeft")
        page.locator(".note-bubble").get_by_role("button", name="Bold").click()
        page.locator(".note strong", has_text="word").wait_for()
        page.locator(".note-bubble").get_by_role("button", name="Link").click()
        page.get_by_role("textbox", name="Address").fill("example.org/a")
        page.keyboard.press("Enter")
        page.locator(".note a[href='https://example.org/a']").wait_for()
        self.saved(page)
        wait(lambda: "[x] stove" in self.markdown(self.ada, self.note) and "https://example.org/a" in self.markdown(self.ada, self.note))
        # A link leads nowhere before its address was seen.
        page.locator(".note a").click(modifiers=["Control"])
        page.locator("dialog", has_text="https://example.org/a").wait_for()
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")

    def test_keys_act_where_the_caret_is(self) -> None:
        # The browser says that the caret has moved in a task of its own, and a key that waits may come before it.
        page = self.open(self.ada)
        page.locator(".note").click()
        for act, text in (
            ("document.execCommand('insertText', false, ' ')", "Milk "),
            ("note.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13, bubbles: true, cancelable: true }))", ""),
        ):
            page.evaluate("""() => new Promise(done => {
                const note = document.querySelector('.note');
                getSelection().collapse(note.querySelector('h1').firstChild, 0);
                setTimeout(() => {
                    const text = note.querySelector('p').firstChild;
                    getSelection().collapse(text, text.length);
                    ACT;
                    done();
                }, 200);
            })""".replace("ACT", act))
            wait(lambda: page.locator(".note > p").last.inner_text().strip("\n").replace("\xa0", " ") == text)
            self.assertEqual(page.locator(".note > h1").inner_text(), "Groceries")
            self.assertTrue(page.evaluate("document.querySelector('.note > p:last-child').contains(getSelection().anchorNode)"))

    def test_find_and_replace(self) -> None:
        page = self.open(self.ada)
        self.write(page, ", milk and MILK")
        page.keyboard.press("Control+f")
        page.get_by_role("textbox", name="Find").fill("milk")
        page.locator(".note-count", has_text="of 3").wait_for()
        page.get_by_role("textbox", name="Replace with").fill("tea")
        page.get_by_role("button", name="Replace all").click()
        page.locator(".note", has_text="tea, tea and tea").wait_for()
        page.keyboard.press("Escape")
        page.locator(".note-find").wait_for(state="detached")
        page.keyboard.press("Control+z")
        page.locator(".note", has_text="Milk, milk and MILK").wait_for()
        self.saved(page)

    def test_a_comment_on_words_that_are_selected(self) -> None:
        page = self.open(self.ada)
        self.write(page, ", bread and milk\nand more Milk")
        self.select(page, "Milk", nth=1)
        page.keyboard.press("Control+Alt+m")
        form = page.locator(".comment-form")
        form.locator("blockquote", has_text="Milk").wait_for()
        page.keyboard.type("Oat?")
        page.keyboard.press("Enter")
        mark = page.locator(".note .comment")
        mark.wait_for()
        # The second place that says it, not the first.
        self.assertEqual(mark.evaluate("mark => [mark.textContent, mark.closest('p').textContent]"), ["Milk", "and more Milk"])
        self.assertTrue(page.locator(".note").evaluate("note => note === document.activeElement"))
        # Over two paragraphs, by the menu of the selection.
        page.evaluate("""() => {
            const [first, last] = document.querySelectorAll('.note > p');
            getSelection().setBaseAndExtent(first.firstChild, 6, last.firstChild, 3);
        }""")
        page.locator(".note > p").first.click(button="right", position={"x": 60, "y": 10})
        page.get_by_role("menuitem", name="Comment on the selected words").click()
        page.locator(".comment-form blockquote", has_text="bread and milk and").wait_for()
        page.keyboard.type("All of it")
        page.keyboard.press("Enter")
        wait(lambda: page.locator(".note .comment").count() == 3)
        # From the words to what is said about them, which stand beside each other also on a phone, and back.
        self.in_sight_on_a_phone()
        page.locator(".note .comment").nth(2).click()
        page.locator(".panels .comment.pointed", has_text="Oat?").wait_for()
        page.locator(".panels .comment", has_text="All of it").locator(".comment-quote").click()
        wait(lambda: page.evaluate("getSelection().anchorNode.textContent").startswith("bread"))
        self.check(page, "comments")
        # Given up.
        self.select(page, "Milk")
        page.locator(".note-bubble").get_by_role("button", name="Comment on the selected words").click()
        page.locator(".comment-form").wait_for()
        page.keyboard.press("Escape")
        page.locator(".comment-form").wait_for(state="detached")

    def in_sight_on_a_phone(self) -> None:
        page = self.open(self.ada, width=360, height=740)
        self.write(page, "\nx" * 40 + "\nThe last words")
        self.select(page, "last words")
        page.keyboard.press("Control+Alt+m")
        page.locator(".comment-form blockquote", has_text="last words").wait_for()
        self.assertTrue(self.is_in_sight(page, ".note .quoted"))
        self.check(page, "a comment on a phone")
        page.keyboard.type("Really?")
        page.keyboard.press("Enter")
        page.locator(".note .comment", has_text="last words").wait_for()
        page.locator(".note .quoted").wait_for(state="detached")
        toggle = page.get_by_role("button", name="Comments, history and links")
        toggle.click()
        page.locator(".panels").wait_for(state="detached")
        page.locator(".note .comment", has_text="last words").click()
        page.locator(".panels .comment.pointed", has_text="Really?").wait_for()
        wait(lambda: self.is_in_sight(page, ".note .comment >> nth=-1") and self.is_in_sight(page, ".panels .comment.pointed .remark-text"))
        page.context.close()

    def is_in_sight(self, page, place: str) -> bool:
        return page.locator(place).evaluate("""part => {
            const { left, top, width, height } = part.getBoundingClientRect();
            return part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }""")

    def select(self, page, words: str, nth: int = 0) -> None:
        """Selects the words at their place among those that say the same."""
        page.locator(".note").focus()
        page.evaluate("""([words, nth]) => {
            const texts = document.createTreeWalker(document.querySelector('.note'), NodeFilter.SHOW_TEXT);
            for (let text = texts.nextNode(); text; text = texts.nextNode())
                for (let at = text.data.indexOf(words); at >= 0; at = text.data.indexOf(words, at + 1))
                    if (nth-- === 0) getSelection().setBaseAndExtent(text, at, text, at + words.length);
        }""", [words, nth])
        page.locator(".note-bubble").wait_for()

    def test_at_1280_pixels_the_bar_shows_everything(self) -> None:
        for width in (760, 1100, 1280, 1920):
            page = self.open(self.ada, width=width)
            bar = page.locator(".note-bar")
            bar.wait_for()
            self.assertLessEqual(bar.evaluate("bar => bar.scrollWidth - bar.clientWidth"), 0, width)
            page.context.close()
        page = self.open(self.ada)
        self.write(page, "")
        page.locator(".note-bar").get_by_role("button", name="Insert").click()
        page.get_by_role("menuitem", name="Line").click()
        page.locator(".note hr").wait_for()

    TABLE = "# Groceries\n\n| What | Euro |\n| --- | --- |\n| Milk | 1.20 |\n| Oats | 0.90 |"

    def table(self, page) -> list[list[str]]:
        return page.locator(".note tr").evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.textContent))")

    def test_a_table_changes_by_its_handles(self) -> None:
        note = self.new_note(self.ada, self.TABLE.replace("Groceries", "Prices"))
        for width in (1280, 360):
            page = self.open(self.ada, "Prices", width=width)
            column, row = page.get_by_role("button", name="Column", exact=True), page.get_by_role("button", name="Row", exact=True)
            self.assertEqual([column.is_visible(), row.is_visible()], [False, False])
            page.locator(".note td", has_text="1.20").click()
            page.keyboard.press("Home")
            column.click()
            self.check(page, f"the menu of a column, {width}")
            # Who chooses nothing goes on writing where the caret was.
            for leave in (lambda: page.keyboard.press("Escape"), lambda: page.mouse.click(width - 5, 700)):
                page.locator(".note .selectedCell").nth(2).wait_for()
                leave()
                page.locator(".note:focus").wait_for()
                page.keyboard.type("~")
                wait(lambda: "~1.20" in page.locator(".note td").all_inner_texts())
                self.assertEqual(page.locator(".note .selectedCell").count(), 0)
                page.keyboard.press("Backspace")
                column.click()
            page.get_by_role("menuitem", name="Align right").click()
            wait(lambda: page.locator(".note .align-right").all_inner_texts() == ["Euro", "1.20", "0.90"])
            # The handle of a row goes to the one below the pointer.
            page.locator(".note td", has_text="Oats").hover()
            wait(lambda: abs(row.bounding_box()["y"] + 12 - page.locator(".note tr").nth(2).bounding_box()["y"] - 20) < 12)
            row.click()
            page.get_by_role("menuitem", name="Row above").click()
            wait(lambda: self.table(page) == [["What", "Euro"], ["Milk", "1.20"], ["", ""], ["Oats", "0.90"]])
            page.keyboard.press("Control+z")
            wait(lambda: len(self.table(page)) == 3)
            page.keyboard.press("Control+z")
            page.locator(".note .align-right").first.wait_for(state="detached")
            self.saved(page)
            page.context.close()
        self.assertIn("| Milk | 1.20 |", self.markdown(self.ada, note))

    def test_a_table_changes_by_keys(self) -> None:
        self.new_note(self.ada, self.TABLE.replace("Groceries", "Prices"))
        for width in (1280, 360):
            page = self.open(self.ada, "Prices", width=width)

            def choose(name: str) -> None:
                # The first may only put away what stands at a selection.
                wait(lambda: page.keyboard.press("Escape") or page.locator("h1:focus").count())
                self.press_until(page.locator(".note-bar").get_by_role("button", name="Table"), "Tab")
                page.keyboard.press("Enter")
                page.locator("[role=menuitem]:focus").wait_for()
                self.press_until(page.get_by_role("menuitem", name=name), "ArrowDown")
                page.keyboard.press("Enter")
                page.locator(".note:focus").wait_for()

            page.locator(".note").focus()
            page.keyboard.press("Control+Home")
            for key in ["ArrowDown", *["Tab"] * 5, "ArrowRight"]:
                page.keyboard.press(key)
            choose("Column before")
            wait(lambda: self.table(page)[2] == ["Oats", "", "0.90"])
            choose("Names in the first column")
            wait(lambda: page.locator(".note th").all_text_contents() == ["What", "", "Euro", "Milk", "Oats"])
            wait(lambda: page.locator(".note .selectedCell").count() == 2 or page.keyboard.press("Shift+ArrowLeft"))
            choose("Merge cells")
            wait(lambda: page.locator(".note td[colspan='2']").count() == 1)
            choose("Split the cell")
            wait(lambda: page.locator(".note td[colspan='2']").count() == 0)
            for _ in range(4):
                page.keyboard.press("Control+z")
            wait(lambda: self.table(page) == [["What", "Euro"], ["Milk", "1.20"], ["Oats", "0.90"]])
            self.saved(page)
            page.context.close()

    def press_until(self, part, key: str) -> None:
        """Presses a key until a part has the focus."""
        for _ in range(20):
            if self.has_focus(part):
                return
            part.page.keyboard.press(key)
        self.fail(f"{key} does not lead to {part}")

    def has_focus(self, part) -> bool:
        return part.evaluate_all("parts => parts.includes(document.activeElement)")

    def test_links_to_notes_are_called_as_the_notes(self) -> None:
        self.ada.do(type="create_note", title="Bakery")
        self.ada.do(type="create_note", title="Old list")
        wait(lambda: len(self.state(self.ada)["list"]) == 3)
        (bakery,) = [note["id"] for note in self.state(self.ada)["list"] if note["title"] == "Bakery"]
        (old,) = [note["id"] for note in self.state(self.ada)["list"] if note["title"] == "Old list"]
        self.ada.do(type="delete_note", note=old)
        page = self.open(self.ada)
        self.write(page, " see /link")
        page.get_by_role("option", name="Link to a note").wait_for()
        page.keyboard.press("Enter")
        choice = page.get_by_role("dialog", name="Link to a note")
        choice.get_by_role("option", name="Bakery").wait_for()
        # Neither what is in the trash, nor the note itself.
        self.assertEqual(choice.get_by_role("option").count(), 1)
        self.assertEqual(findings(page), [])
        page.keyboard.type("bak")
        page.keyboard.press("Enter")
        choice.wait_for(state="detached")
        self.in_brackets(page, bakery)
        page.keyboard.type(f" or [[{old}]] or [[{'A' * 22}]]")
        shown = page.locator(".note .note-link")
        wait(lambda: shown.all_inner_texts() == ["Bakery", "Old list", "A note that is not here"])
        self.assertEqual(page.locator(".note .note-link.is-deleted").inner_text(), "Old list")
        self.assertEqual(findings(page), [])
        self.assertEqual(page.locator(".note > p").inner_text().rstrip("\n"), "Milk see Bakery or Old list or A note that is not here")
        self.saved(page)
        wait(lambda: f"[[{bakery}]] or [[{old}]]" in self.markdown(self.ada, self.note))
        # Another name is shown at once.
        self.ada.do(type="rename_note", note=bakery, title="The bakery")
        page.locator(".note .note-link", has_text="The bakery").wait_for()
        # The arrows go over it as over a letter, and it goes as one.
        page.keyboard.press("Control+Home")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Home")
        for _ in range(len("Milk see ")):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.type("!")
        self.assertEqual(page.locator(".note > p").inner_text().rstrip("\n"), "Milk see The bakery! or Old list or A note that is not here")
        page.keyboard.press("Backspace")
        page.keyboard.press("Alt+Enter")
        page.locator(".note-head h1", has_text="The bakery").wait_for()
        page.locator(".panels .link-row", has_text="Groceries").click()
        page.locator(".note > p", has_text="Milk").wait_for()
        page.locator(".note .note-link", has_text="The bakery").click()
        page.locator(".note-head h1", has_text="The bakery").wait_for()

    def in_brackets(self, page, bakery: str) -> None:
        """Brackets open the choice; what is typed on is looked for, is a link at its end, or stays as it is."""
        link, text = page.locator(".note .note-link"), page.locator(".note > p")
        for typed in ("[[bak\n", "[[bakery]]", f"[[{bakery}]]"):
            page.keyboard.type(typed)
            page.get_by_role("dialog", name="Link to a note").wait_for(state="detached")
            wait(lambda: link.count() == 2)
            self.assertEqual(text.inner_text().rstrip("\n"), "Milk see BakeryBakery")
            page.keyboard.press("Backspace")
            wait(lambda: link.count() == 1)
        page.keyboard.type(" or [[foo")
        page.keyboard.press("Escape")
        page.get_by_role("dialog", name="Link to a note").wait_for(state="detached")
        page.keyboard.type("]]")
        wait(lambda: text.inner_text().rstrip("\n") == "Milk see Bakery or [[foo]]")
        for _ in " or [[foo]]":
            page.keyboard.press("Backspace")
        # The next key may come before the dialog's own event of its end.
        page.keyboard.type(" or [[foo")
        page.evaluate("() => { document.querySelector('dialog').requestClose(); document.execCommand('insertText', false, ']]'); }")
        wait(lambda: text.inner_text().rstrip("\n") == "Milk see Bakery or [[foo]]")
        for _ in " or [[foo]]":
            page.keyboard.press("Backspace")
        # By pointer at words that are selected.
        page.keyboard.type(" bakery")
        page.keyboard.press("Control+Shift+ArrowLeft")
        bubble = page.locator(".note-bubble")
        bubble.get_by_role("button", name="Link").click()
        bubble.get_by_role("button", name="Link to a note").click()
        page.get_by_role("dialog", name="Link to a note").get_by_role("option", name="Bakery").click()
        wait(lambda: link.count() == 2)
        for _ in range(2):
            page.keyboard.press("Backspace")
        wait(lambda: text.inner_text().rstrip("\n") == "Milk see Bakery")

    def test_a_block_is_moved_by_its_handle(self) -> None:
        page = self.open(self.ada)
        self.write(page, "\n- Oats\nRice")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.keyboard.type("Salt")
        blocks, handle = page.locator(".note > *"), page.get_by_role("button", name="Move or delete the block")
        texts = lambda: [" ".join(text.split()) for text in blocks.all_inner_texts()]
        self.assertEqual(texts(), ["Groceries", "Milk", "Oats Rice", "Salt"])
        # A whole list, to where the line is.
        self.drag(page, handle, blocks.nth(2), blocks.nth(1), 2)
        self.assertEqual(texts(), ["Groceries", "Oats Rice", "Milk", "Salt"])
        self.assertEqual(page.locator(".block-line").is_visible(), False)
        # Escape leaves everything where it is.
        self.drag(page, handle, blocks.nth(1), blocks.nth(3), 20, "Escape")
        self.assertEqual(texts(), ["Groceries", "Oats Rice", "Milk", "Salt"])
        page.keyboard.press("Control+z")
        self.assertEqual(texts(), ["Groceries", "Milk", "Oats Rice", "Salt"])
        # With the pointer elsewhere it is at the caret, and the Tab key leads to it.
        page.mouse.move(5, 5)
        page.locator(".note").focus()
        page.keyboard.press("Control+End")
        page.keyboard.press("Tab")
        self.assertTrue(handle.evaluate("handle => handle === document.activeElement"))
        page.keyboard.press("Enter")
        self.assertEqual(findings(page), [])
        page.get_by_role("menuitem", name="Move up").press("Enter")
        wait(lambda: texts() == ["Groceries", "Milk", "Salt", "Oats Rice"])
        # The caret went with it.
        page.keyboard.type("more ")
        wait(lambda: texts()[2] == "more Salt")
        self.hover(handle, blocks.nth(1))
        handle.click()
        page.get_by_role("menuitem", name="Delete the block").click()
        wait(lambda: texts() == ["Groceries", "more Salt", "Oats Rice"])
        self.saved(page)
        wait(lambda: "Milk" not in self.markdown(self.ada, self.note) and "Oats" in self.markdown(self.ada, self.note))

    def hover(self, handle, block) -> None:
        block.hover()
        wait(lambda: 0 <= handle.bounding_box()["y"] + 12 - block.bounding_box()["y"] < 40)

    def drag(self, page, handle, block, target, down: int, key: str = "") -> None:
        """Takes the handle of a block to a height of another one."""
        self.hover(handle, block)
        start, end = handle.bounding_box(), target.bounding_box()
        page.mouse.move(start["x"] + 12, start["y"] + 12)
        page.mouse.down()
        page.mouse.move(start["x"] + 12, end["y"] + down, steps=5)
        page.locator(".block-line").wait_for()
        if key:
            page.keyboard.press(key)
        page.mouse.up()

    def test_a_picture_is_kept_beside_the_note(self) -> None:
        page = self.open(self.ada)
        page.locator(".note").click()
        page.keyboard.press("Control+End")
        self.paste_picture(page)
        picture = page.locator(".note figure img")
        picture.wait_for()
        wait(lambda: picture.evaluate("image => image.naturalWidth") == 8)
        self.assertEqual(picture.get_attribute("alt"), "sea.png")
        self.saved(page)
        other = self.open(self.ada)
        wait(lambda: other.locator(".note figure img").evaluate("image => image.naturalWidth") == 8)
        # What is said about it and its width, by pointer.
        picture.click()
        bubble = page.locator(".note-bubble")
        bubble.get_by_role("button", name="Width 50 %").click()
        wait(lambda: abs(other.locator(".note figure").evaluate("figure => figure.offsetWidth * 2 - (figure.parentElement?.offsetWidth ?? 0)")) < 3)
        self.check(page, "a picture that is selected")
        # And by keys.
        page.keyboard.press("Alt+Enter")
        wait(lambda: self.has_focus(bubble.get_by_role("button", name="Description")))
        page.keyboard.press("Enter")
        page.get_by_role("dialog", name="Description").wait_for()
        page.keyboard.type("The sea")
        page.keyboard.press("Enter")
        other.locator(".note figure img[alt='The sea']").wait_for()
        page.locator(".note:focus").wait_for()
        page.keyboard.press("Alt+Enter")
        for name in ("Caption", "Width 50 %", "Width 75 %", "Width 100 %", "Open large"):
            page.keyboard.press("ArrowRight")
            wait(lambda: self.has_focus(bubble.get_by_role("button", name=name)))
        page.keyboard.press("Enter")
        page.locator(".viewer img[alt='The sea']").wait_for()
        page.keyboard.press("Escape")
        page.locator(".viewer").wait_for(state="detached")
        with page.expect_download() as download:
            bubble.get_by_role("link", name="Save").click()
        self.assertEqual(download.value.suggested_filename.split(".")[0], "The sea")
        self.saved(page)
        wait(lambda: 'alt="The sea" width="50%"' in self.markdown(self.ada, self.note))

    def test_a_picture_that_comes_late_stands_where_it_was_given(self) -> None:
        page = self.open(self.ada)
        self.write(page, "")
        held: list = []
        page.route("**/files", lambda route: held.append(route))
        self.paste_picture(page)
        wait(lambda: held or page.wait_for_timeout(50))
        # Meanwhile one writes on, and looks for something.
        page.keyboard.press("Enter")
        page.keyboard.type("Bread")
        page.keyboard.press("Control+f")
        page.get_by_role("textbox", name="Find").fill("Milk")
        held[0].continue_()
        page.locator(".note figure img").wait_for(state="attached")
        self.assertEqual(page.locator(".note > *").evaluate_all("blocks => blocks.map(block => block.textContent || block.localName)"), ["Groceries", "Milk", "figure", "Bread"])
        self.assertEqual(page.evaluate("document.activeElement.name"), "find")

    def test_nobody_is_shut_out(self) -> None:
        for width in (360, 1280):
            for theme in ("light", "dark"):
                page = self.open(self.ada, width=width, theme=theme)
                page.locator(".note-bar").wait_for()
                self.write(page, "\n/he")
                page.get_by_role("option", name="Large heading").wait_for()
                self.check(page, f"the slash menu, {width} {theme}")
                page.keyboard.press("Escape")
                page.keyboard.press("Control+Shift+ArrowLeft")
                page.locator(".note-bubble").wait_for()
                page.keyboard.press("Control+f")
                page.locator(".note-find").wait_for()
                self.check(page, f"find, {width} {theme}")
                page.context.close()

    def check(self, page, where: str) -> None:
        with self.subTest(where=where):
            self.assertEqual(findings(page), [])


class StormTests(Notes):
    """Fifty patches a second disturb nobody who writes."""

    def setUp(self) -> None:
        super().setUp()
        self.note = self.new_note(self.ada, "# Groceries\n\nMilk and bread\n\nOats")
        for number in range(40):
            self.ada.do(type="create_note", title=f"Older note {number}")
        wait(lambda: len(self.state(self.ada)["list"]) == 41)
        self.ada.do(type="append_to_note", note=self.note, text="Salt")
        wait(lambda: "Salt" in self.markdown(self.ada, self.note))

    def storm(self, rounds: int) -> None:
        """Two patches a round: the list's, and the text's, for whoever writes in the same note."""
        for number in range(rounds):
            self.gust(number)

    def gust(self, number: int) -> None:
        self.ada.do(type="rename_note", note=self.note, title=f"Groceries {number}")
        self.ada.do(type="append_to_note", note=self.note, text=f"Line {number}")

    def steady_storm(self, page, rounds: int) -> None:
        """Fifty patches a second, on a machine that draws as many: no round begins before the last one is on the screen, so that none is drawn with another."""
        for number in range(rounds):
            begun = time.monotonic()
            self.gust(number)
            page.wait_for_function("""number => document.querySelector('.note-head h1').textContent === `Groceries ${number}`
                && [...document.querySelectorAll('.note > p')].at(-1).textContent === `Line ${number}`""", arg=number)
            time.sleep(max(0, begun + 2 / 50 - time.monotonic()))

    @staticmethod
    def acknowledged(page) -> collections.Counter:
        """Counts what the page says from now on that it has drawn: trees, and texts of notes."""
        frames: collections.Counter = collections.Counter()
        page.on("websocket", lambda socket: socket.on("framesent", lambda text: frames.update([json.loads(text)["type"]])))
        page.reload()
        page.locator(".note").wait_for()
        return frames

    def calm(self, page, rounds: int) -> None:
        page.locator(".note > p", has_text=f"Line {rounds - 1}").last.wait_for()

    def test_composition_selection_and_scroll_stay(self) -> None:
        page = self.open(self.ada)
        drawn = self.acknowledged(page)
        page.locator(".note > p", has_text="Salt").wait_for()
        rows = page.locator(".notes-rows")
        rows.evaluate("rows => rows.scrollTo(0, 700)")
        place = "rows => { const row = [...rows.querySelectorAll('.note-item')].find(row => row.getBoundingClientRect().top > 300); return [row.textContent.slice(0, 14), row.getBoundingClientRect().top]; }"
        page.wait_for_timeout(300)
        name, top = rows.evaluate(place)
        # A selection stays on its words.
        page.evaluate("""() => {
            const text = document.querySelector('.note > p').firstChild;
            document.querySelector('.note').focus();
            getSelection().setBaseAndExtent(text, 8, text, 5);
        }""")
        drawn.clear()
        self.steady_storm(page, 50)
        # Each patch was drawn by itself, those of the list as those of the text.
        self.assertGreaterEqual(drawn["ack"], 50, drawn)
        self.assertGreaterEqual(drawn["doc_ack"], 50, drawn)
        self.storm(25)
        self.calm(page, 25)
        self.assertEqual(page.evaluate("[String(getSelection()), getSelection().anchorOffset, getSelection().focusOffset]"), ["and", 8, 5])
        self.assertEqual(rows.evaluate(place)[0], name)
        self.assertAlmostEqual(rows.evaluate(place)[1], top, delta=1)
        # An input method keeps what it composes, at its place.
        page.evaluate("() => { const text = document.querySelector('.note > p').firstChild; getSelection().collapse(text, 4); }")
        keys = page.context.new_cdp_session(page)
        keys.send("Input.imeSetComposition", {"text": "にほ", "selectionStart": 2, "selectionEnd": 2})
        drawn.clear()
        self.steady_storm(page, 25)
        self.assertGreaterEqual(min(drawn["ack"], drawn["doc_ack"]), 25, drawn)
        self.storm(25)
        keys.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
        self.calm(page, 25)
        self.assertEqual(page.locator(".note > p").first.inner_text(), "Milkにほん and bread")
        keys.send("Input.insertText", {"text": "日本"})
        self.assertEqual(page.locator(".note > p").first.inner_text(), "Milk日本 and bread")
        self.assertEqual(page.evaluate("getSelection().focusOffset"), 6)
        self.saved(page)
        wait(lambda: "Milk日本 and bread" in self.markdown(self.ada, self.note))
        self.assertEqual(rows.evaluate(place)[0], name)
        self.assertAlmostEqual(rows.evaluate(place)[1], top, delta=1)


class SharedNoteTests(Notes):
    def test_two_people_see_each_other_write(self) -> None:
        ben = self.scene.host("ben")
        self.scene.meet(self.ada, ben, "Ben", "Ada")
        note = self.new_note(self.ada, "# Together\n\nfirst")
        self.ada.do(type="share_note", room=self.ada.room("Ben")["id"], note=note)
        ben.do(type="open_notes")
        wait(lambda: any(other["id"] == note for other in self.state(ben)["list"]))
        one, other = self.open(self.ada, "Together"), self.open(ben, "Together")
        self.write(one, " and second")
        other.locator(".remote-caret", has_text="Ada").wait_for()
        wait(lambda: other.locator(".note > p").first.inner_text().replace("\n", "") == "first and secondAda")
        other.locator(".note > p").first.click()
        other.keyboard.type("!")
        one.locator(".remote-caret", has_text="Ben").wait_for()
        # A line above the text says where it is, when it was changed, and who is in it.
        self.ada.do(type="create_folder", name="House")
        wait(lambda: self.state(self.ada)["folders"])
        self.ada.do(type="move_note", note=note, folder=self.state(self.ada)["folders"][0]["id"])
        one.locator(".note-about", has_text="House").get_by_text("Here now: Ben").wait_for()
        one.locator(".note-about time", has_text="Changed").wait_for()
        one.get_by_role("button", name="Back", exact=True).click()
        other.locator(".remote-caret").wait_for(state="detached")
        other.locator(".note-people").wait_for(state="detached")

    def test_pictures_come_with_the_note(self) -> None:
        ben = self.scene.host("ben")
        self.scene.meet(self.ada, ben, "Ben", "Ada")
        note = self.new_note(self.ada, "# Together\n\nfirst")
        self.ada.do(type="share_note", room=self.ada.room("Ben")["id"], note=note)
        ben.do(type="open_notes")
        wait(lambda: any(other["id"] == note for other in self.state(ben)["list"]))
        one, other = self.open(self.ada, "Together"), self.open(ben, "Together")
        self.write(one, " and second")
        self.paste_picture(one)
        wait(lambda: one.locator(".note figure img").evaluate("image => image.naturalWidth") == 8)
        other.locator(".note figure img").wait_for(state="attached")
        wait(lambda: other.locator(".note figure img").evaluate("image => !image.hidden && image.naturalWidth") == 8)
        self.assertEqual(other.locator(".note .missing").count(), 0)
        # It was looked for before it came.
        self.scene.complaints[:] = [text for text in self.scene.complaints if "/media/" not in text and "404" not in text]


if __name__ == "__main__":
    unittest.main()
