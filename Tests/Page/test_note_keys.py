"""Keys in a note: each does one thing, where the focus is."""

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


if __name__ == "__main__":
    unittest.main()
