"""Keys in a note: each does one thing, where the focus is."""

import re
import unittest

from scene import wait
from test_editor import Notes


class NoteKeyTests(Notes):
    def setUp(self) -> None:
        super().setUp()
        self.note = self.new_note(self.ada, "# Groceries\n\nMilk")

    def has_focus(self, box) -> bool:
        return box.evaluate("box => box === document.activeElement")

    def test_the_slash_menu_takes_no_keys_of_others(self) -> None:
        page = self.open(self.ada)
        self.write(page, "\n/he")
        menu = page.locator(".note-slash")
        menu.wait_for()
        page.keyboard.press("Control+f")
        find = page.get_by_role("textbox", name="Find", exact=True)
        wait(lambda: self.has_focus(find))
        menu.wait_for(state="detached")
        find.fill("Milk")
        find.press("Enter")
        find.press("ArrowDown")
        page.locator(".note-count", has_text="1 of 1").wait_for()
        self.assertEqual(page.locator(".note > h1").count(), 1)
        page.locator(".note p", has_text="/he").wait_for()
        # A box of the panels has its own Escape, also while the search is open.
        page.locator(".panels").get_by_role("button", name="Add the comment").click()
        page.locator(".comment-form").wait_for()
        page.keyboard.press("Escape")
        page.locator(".comment-form").wait_for(state="detached")
        self.assertTrue(find.is_visible())
        # Back in the text the menu is there again.
        find.press("Escape")
        page.locator(".note").focus()
        page.keyboard.press("Control+End")
        menu.wait_for()
        page.keyboard.press("Enter")
        wait(lambda: page.locator(".note > h1").count() == 2)

    def test_the_slash_menu_knows_german(self) -> None:
        page = self.scene.page(self.ada, locale="de-DE")
        page.get_by_role("button", name="Notizen").first.click()
        page.locator(".note-item", has_text="Groceries").first.click()
        self.write(page, "\n/über")
        wait(lambda: page.locator(".note-slash [role=option]").all_inner_texts() == ["Große Überschrift", "Überschrift", "Kleine Überschrift"])
        page.keyboard.press("Enter")
        wait(lambda: page.locator(".note > h1").count() == 2)
        # The whole menu stands above or below the line, also in the middle of the window.
        page.keyboard.type("\n" * 5 + "/")
        menu = page.locator(".note-slash")
        menu.get_by_role("option").nth(8).wait_for()
        line, box = page.locator(".note > p").last.bounding_box(), menu.bounding_box()
        self.assertTrue(300 < line["y"] < 500, line)
        self.assertTrue(box["y"] >= line["y"] + 20 or box["y"] + box["height"] <= line["y"] + 10, (line, box))

    def test_a_block_moves_and_nothing_else_happens(self) -> None:
        self.ada.do(type="create_note", title="Aside")
        page = self.open(self.ada)
        self.write(page, "\nBread\nSalt")
        blocks = page.locator(".note > *")
        texts = lambda: [text.strip() for text in blocks.all_inner_texts()]
        page.keyboard.press("Alt+ArrowUp")
        wait(lambda: texts() == ["Groceries", "Milk", "Salt", "Bread"])
        self.saved(page)
        page.locator(".note-item[aria-current=true]", has_text="Milk Salt Bread").wait_for()
        # At the ends there is nothing to do, and the next note is not meant.
        for key, order in (("ArrowDown", ["Groceries", "Milk", "Bread", "Salt"]), ("ArrowUp", ["Salt", "Groceries", "Milk", "Bread"])):
            for _ in range(4):
                page.keyboard.press(f"Alt+{key}")
                page.wait_for_timeout(100)
            wait(lambda: texts() == order)
            page.wait_for_timeout(1000)
            self.assertNotEqual(page.locator(".note-head h1").inner_text(), "Aside")
            self.assertEqual(texts(), order)
        # The same at the handle, once with each key.
        page.keyboard.press("Alt+ArrowDown")
        page.mouse.move(5, 5)
        page.keyboard.press("Tab")
        self.assertTrue(self.has_focus(page.get_by_role("button", name="Move or delete the block")))
        page.keyboard.press("Alt+ArrowDown")
        wait(lambda: texts() == ["Groceries", "Milk", "Salt", "Bread"])
        page.wait_for_timeout(300)
        self.assertEqual(texts(), ["Groceries", "Milk", "Salt", "Bread"])

    def test_a_note_takes_the_focus_from_nobody(self) -> None:
        self.ada.do(type="create_note", title="Aside")
        page = self.open(self.ada)
        held: list = []
        page.route("**/sheet-*.js", lambda route: held.append(route))
        page.reload()
        wait(lambda: held or page.wait_for_timeout(50))
        page.get_by_role("searchbox").fill("Gro")
        held[0].continue_()
        page.locator(".note > p", has_text="Milk").wait_for()
        page.wait_for_timeout(300)
        self.assertTrue(self.has_focus(page.get_by_role("searchbox")))
        page.keyboard.press("Escape")
        page.locator(".note-item", has_text="Aside").click()
        page.get_by_role("heading", level=1, name="Aside").wait_for()
        wait(lambda: self.has_focus(page.locator(".note")))

    def test_only_what_is_a_problem_is_read_aloud(self) -> None:
        page = self.open(self.ada)
        state = page.locator(".note-state")
        self.saved(page)
        page.evaluate("""() => {
            window.words = [];
            const hear = () => window.words.push(document.querySelector(".note-state").textContent);
            new MutationObserver(hear).observe(document.querySelector(".note-state"), { childList: true, characterData: true, subtree: true });
        }""")
        self.write(page, " and bread")
        wait(lambda: page.evaluate("window.words.includes('Saving…') && window.words.at(-1) === 'Saved'"))
        self.assertEqual(state.locator("[role=status], [aria-live]").all_inner_texts(), [""])
        self.assertEqual(state.evaluate("state => !!state.closest('[aria-live], [role=status]')"), False)
        self.ada.do(type="delete_note", note=self.note)
        state.get_by_role("status").filter(has_text="Read-only").wait_for()
        self.ada.do(type="restore_note", note=self.note)
        self.saved(page)
        self.ada.kill()
        page.keyboard.type("x")
        page.locator(".note").focus()
        page.keyboard.type("x")
        state.get_by_role("status").filter(has_text="Not connected: kept here").wait_for()
        self.scene.complaints.clear()

    def test_a_link_is_followed_once(self) -> None:
        self.ada.do(type="create_note", title="Bakery")
        wait(lambda: any(note["title"] == "Bakery" for note in self.state(self.ada)["list"]))
        (bakery,) = [note["id"] for note in self.state(self.ada)["list"] if note["title"] == "Bakery"]
        # There the caret stands beside a link again.
        page = self.open(self.ada, "Bakery")
        page.locator(".note").click()
        page.keyboard.press("Control+a")
        page.keyboard.type(f"[[{self.note}]]")
        page.locator(".note .note-link").wait_for()
        self.saved(page)
        page.locator(".note-item", has_text=re.compile("^Groceries")).click()
        page.locator(".note > p", has_text="Milk").wait_for()
        self.write(page, f" [[{bakery}]]")
        page.locator(".note .note-link").wait_for()
        page.wait_for_timeout(300)
        page.evaluate("""() => {
            const send = WebSocket.prototype.send;
            window.sent = [];
            WebSocket.prototype.send = function (text) { if (text.includes('"open_note"')) window.sent.push(text); return send.call(this, text); };
        }""")
        # A key that is held says so again and again.
        page.keyboard.down("Alt")
        for _ in range(15):
            page.keyboard.down("Enter")
            page.wait_for_timeout(60)
        page.keyboard.up("Enter")
        page.keyboard.up("Alt")
        page.wait_for_timeout(500)
        self.assertEqual(len(page.evaluate("window.sent")), 1)

    def test_a_link_is_made_by_keys(self) -> None:
        page = self.open(self.ada)
        self.write(page, " bread")
        page.keyboard.press("Control+Shift+ArrowLeft")
        # The browser tells of a selection a moment later.
        page.wait_for_timeout(1000)
        page.keyboard.press("Control+Shift+k")
        address = page.get_by_role("textbox", name="Address")
        wait(lambda: self.has_focus(address))
        # The words that it is for are still marked.
        page.locator(".note .quoted", has_text="bread").wait_for()
        # Control-K alone finds something in the whole page, and leads back.
        page.keyboard.press("Escape")
        wait(lambda: self.has_focus(page.locator(".note")))
        page.locator(".note .quoted").wait_for(state="detached")
        page.keyboard.press("Control+k")
        page.locator("dialog.palette input:focus").wait_for()
        page.keyboard.press("Escape")
        wait(lambda: self.has_focus(page.locator(".note")))
        page.keyboard.press("End")
        page.keyboard.press("Control+Shift+ArrowLeft")
        page.wait_for_timeout(1000)
        page.keyboard.press("Control+Shift+k")
        wait(lambda: self.has_focus(address))
        page.keyboard.type("example.org")
        page.keyboard.press("Enter")
        page.locator(".note a[href='https://example.org']", has_text="bread").wait_for()
        self.assertEqual(page.locator(".note .quoted").count(), 0)
        wait(lambda: self.has_focus(page.locator(".note")))
        page.keyboard.press("ArrowRight")
        page.keyboard.type(" and milk")
        self.assertEqual(page.locator(".note a").inner_text(), "bread")
        self.assertEqual(page.locator(".note > p").inner_text(), "Milk bread and milk")


if __name__ == "__main__":
    unittest.main()
