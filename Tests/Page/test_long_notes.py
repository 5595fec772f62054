"""A note of many blocks: those far out of sight are not laid out, and all of it can be reached, selected, found and written in."""

import unittest

from scene import wait
from test_editor import Notes

BLOCKS = 900

# The words of the block in which the caret is, and whether it is in the window.
CARET = """() => {
    const caret = getSelection().focusNode;
    const block = (caret instanceof Element ? caret : caret.parentElement).closest(".note > *");
    const { top, bottom } = block.getBoundingClientRect();
    return block.textContent + (bottom > 0 && top < innerHeight ? "" : " (out of sight)");
}"""
HIDDEN = "() => [...document.querySelectorAll('.note > *')].filter((block) => getComputedStyle(block).contentVisibility === 'hidden').length"
# Blocks in the window of which nothing is laid out.
MISSING = """() => [...document.querySelectorAll(".note > *")].filter((block) => {
    const { top, bottom } = block.getBoundingClientRect();
    return bottom > 0 && top < innerHeight && getComputedStyle(block).contentVisibility === "hidden";
}).map((block) => block.textContent)"""


class LongNoteTests(Notes):
    def setUp(self) -> None:
        super().setUp()
        self.note = self.new_note(self.ada, "# Diary\n\n" + "\n\n".join(f"day {number}" for number in range(1, BLOCKS)))
        self.page = self.open(self.ada, "Diary")
        self.page.locator(".note > p").first.click()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def shows(self, words: str) -> None:
        """The caret is in the block with these words, in sight, and all in the window is there."""
        wait(lambda: self.page.evaluate(CARET) == words)
        wait(lambda: self.page.evaluate(MISSING) == [])

    def scroll_to(self, part: float) -> None:
        self.page.locator(".note-scroll").evaluate("(element, part) => element.scrollTo(0, element.scrollHeight * part)", part)
        wait(lambda: self.page.evaluate(MISSING) == [])

    def lines(self) -> list[str]:
        self.page.locator(".note-state", has_text="Saved").wait_for()
        return [line for line in self.markdown(self.ada, self.note).splitlines() if line]

    def test_keys_reach_both_ends(self) -> None:
        self.assertGreater(self.page.evaluate(HIDDEN), BLOCKS / 2)
        self.press("Control+End")
        self.shows(f"day {BLOCKS - 1}")
        self.page.keyboard.type(" is over")
        self.press("Control+Home")
        self.shows("Diary")
        for _ in range(12):
            self.press("PageDown")
            wait(lambda: self.page.evaluate(MISSING) == [])
        self.assertNotIn("out of sight", self.page.evaluate(CARET))
        self.assertEqual(self.lines()[-1], f"day {BLOCKS - 1} is over")

    def test_what_is_selected_over_much_is_deleted_as_a_whole(self) -> None:
        self.press("Control+End", "Shift+Control+Home")
        self.page.keyboard.type("Gone")
        self.assertEqual(self.lines(), ["# Gone"])
        self.press("Control+z")
        wait(lambda: self.page.locator(".note > *").count() == BLOCKS)
        self.assertEqual(self.lines()[-1], f"day {BLOCKS - 1}")

    def test_a_selection_begins_far_from_where_it_ends(self) -> None:
        self.page.locator(".note > p").nth(9).click(position={"x": 2, "y": 8})
        self.scroll_to(0.7)
        block = self.page.locator(".note > p").nth(self.page.evaluate(
            "() => [...document.querySelectorAll('.note > p')].findIndex((block) => block.getBoundingClientRect().top > innerHeight / 2)"))
        words = block.text_content()
        block.click(modifiers=["Shift"], position={"x": 2, "y": 8})
        self.press("Delete")
        lines = self.lines()
        self.assertEqual(lines[9:11], ["day 9", words])
        self.assertEqual(lines[-1], f"day {BLOCKS - 1}")

    def test_all_of_it_is_copied(self) -> None:
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.press("Control+a", "Control+c")
        copied = self.page.evaluate("navigator.clipboard.readText()")
        self.assertEqual([line for line in copied.splitlines() if line][-1], f"day {BLOCKS - 1}")
        self.assertIn("day 450", copied)

    def test_all_of_it_is_copied_where_it_is_only_read(self) -> None:
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.ada.do(type="delete_note", note=self.note)
        self.page.locator(".note[contenteditable=false]").wait_for()
        self.page.locator(".note > p").first.click()
        self.press("Control+a", "Control+c")
        wait(lambda: "day 450" in self.page.evaluate("navigator.clipboard.readText()"))
        wait(lambda: self.page.evaluate(HIDDEN) > BLOCKS / 2)

    def test_the_outline_leads_to_headings_between_blocks_of_all_heights(self) -> None:
        parts = [f"## Head {number}" if number % 10 == 0 else "word " * (24 * (number % 9 + 1)) for number in range(1, 180)]
        self.new_note(self.ada, "# Thick\n\n" + "\n\n".join(parts))
        self.page.close()
        for name in ("Head 100", "Head 50", "Head 160"):
            page = self.open(self.ada, "Thick", width=1750)
            page.locator(".note-outline").get_by_role("button", name=name, exact=True).click()
            # It does not go away again when more is laid out.
            page.wait_for_timeout(500)
            top = lambda: page.evaluate("name => [...document.querySelectorAll('.note > h2')].find((head) => head.textContent === name).getBoundingClientRect().top", name)
            wait(lambda: 0 < top() < 800)
            page.close()

    def test_a_bubble_that_was_put_away_stays_away(self) -> None:
        self.press("Control+a")
        self.page.locator(".note-bubble").wait_for()
        self.press("Escape")
        for part in (0.5, 0.9, 0):
            self.scroll_to(part)
            self.page.wait_for_timeout(200)
            self.assertEqual(self.page.locator(".note-bubble").count(), 0)

    def test_a_page_down_is_a_page_also_from_out_of_sight(self) -> None:
        self.scroll_to(0.6)
        self.press("PageDown")
        wait(lambda: int(self.page.evaluate(CARET).split()[1]) > 8)

    def test_scrolling_shows_each_part(self) -> None:
        for part in [1, 0.5, 0.9, 0, 0.3]:
            self.scroll_to(part)

    def test_what_is_found_comes_into_sight(self) -> None:
        self.press("Control+f")
        self.page.get_by_role("textbox", name="Find").first.fill("day 777")
        self.press("Enter")
        self.page.wait_for_function(f"() => {{ const block = [...document.querySelectorAll('.note > p')][776]; const {{ top }} = block.getBoundingClientRect(); return top > 0 && top < innerHeight; }}")
        wait(lambda: self.page.evaluate(MISSING) == [])

    def test_others_write_where_nobody_looks(self) -> None:
        other = self.open(self.ada, "Diary")
        other.locator(".note > p").first.click()
        other.keyboard.press("Control+End")
        other.keyboard.type(", said Ben")
        self.page.locator(".note > p", has_text=", said Ben").wait_for(state="attached")
        self.shows("day 1")
        self.page.keyboard.type("!")
        self.assertEqual(self.lines()[-1], f"day {BLOCKS - 1}, said Ben")

    def test_it_becomes_short_and_long_again(self) -> None:
        self.press("Control+a", "Delete")
        self.page.keyboard.type("Short")
        self.assertEqual(self.page.evaluate(HIDDEN), 0)
        self.press("Control+z", "Control+z")
        wait(lambda: self.page.evaluate(HIDDEN) > BLOCKS / 2)
        self.press("Control+End")
        self.shows(f"day {BLOCKS - 1}")

    def test_all_of_it_is_printed(self) -> None:
        self.page.emulate_media(media="print")
        self.assertEqual(self.page.evaluate(HIDDEN), 0)


if __name__ == "__main__":
    unittest.main()
