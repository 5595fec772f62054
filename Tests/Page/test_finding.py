"""Finding and replacing in a note: nobody changes what they do not see."""

import unittest

from scene import wait
from test_editor import Notes


class FindingTests(Notes):
    def setUp(self) -> None:
        super().setUp()
        self.note = self.new_note(self.ada, "# Animals\n\n" + "A line about dogs.\n\n" * 60 + "A cat.\n\n" + "And another line.\n\n" * 60 + "The last cat")
        self.page = self.open(self.ada, "Animals")
        self.page.locator(".note").click(position={"x": 20, "y": 20})
        self.page.keyboard.press("Control+Home")
        self.page.keyboard.press("Control+f")
        self.find, self.replacement = (self.page.get_by_role("textbox", name=name) for name in ("Find", "Replace with"))
        self.match = self.page.locator(".note .match.current")

    def count(self, words: str) -> None:
        self.page.locator(".note-count", has_text=words).wait_for()

    def is_seen(self) -> bool:
        return self.match.evaluate("""match => {
            const { left, top, width, height } = match.getBoundingClientRect();
            return match.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }""")

    def is_at_start(self) -> bool:
        """Goes there. The editor puts its own selection there once more, a moment after it was focused."""
        self.page.keyboard.press("Control+Home")
        self.page.wait_for_timeout(100)
        return self.page.evaluate("getSelection().anchorNode.textContent") == "Animals"

    def test_what_is_found_is_in_sight(self) -> None:
        self.find.press_sequentially("cat")
        self.count("1 of 2")
        wait(self.is_seen)
        self.assertTrue(self.find.evaluate("input => input === document.activeElement"))
        self.page.keyboard.press("Enter")
        self.count("2 of 2")
        wait(self.is_seen)
        self.page.keyboard.press("Enter")
        self.count("1 of 2")
        # What was looked for before stands there again, and nothing moves before somebody wants it.
        self.page.keyboard.press("Escape")
        wait(self.is_at_start)
        self.page.locator(".note-scroll").evaluate("scroll => scroll.scrollTo(0, 0)")
        self.page.keyboard.press("Control+f")
        self.count("1 of 2")
        self.assertFalse(self.is_seen())
        self.page.keyboard.press("Enter")
        wait(self.is_seen)
        self.count("1 of 2")

    def test_each_is_replaced_once_and_in_sight(self) -> None:
        self.find.fill("cat")
        self.count("1 of 2")
        self.replacement.fill("cats")
        # Somebody has scrolled away: it is shown first.
        self.page.locator(".note-scroll").evaluate("scroll => scroll.scrollTo(0, 0)")
        self.assertFalse(self.is_seen())
        self.replacement.press("Enter")
        wait(self.is_seen)
        self.assertEqual(self.page.locator(".note", has_text="cats").count(), 0)
        self.replacement.press("Enter")
        self.count("2 of 2")
        wait(self.is_seen)
        for _ in range(3):
            self.replacement.press("Enter")
        self.count("0 of 2")
        self.assertTrue(self.replacement.evaluate("input => input === document.activeElement"))
        self.saved(self.page)
        wait(lambda: "A cats." in self.markdown(self.ada, self.note) and "The last cats\n" in self.markdown(self.ada, self.note) + "\n")

    def test_what_is_not_seen_of_a_link_is_not_found(self) -> None:
        self.page.keyboard.press("Escape")
        self.write(self.page, f" [[{self.note}]]")
        self.page.locator(".note .note-link", has_text="Animals").wait_for()
        self.page.keyboard.press("Control+f")
        self.find.fill(self.note[3:6])
        self.count("0 of 0")
        self.find.fill("[[")
        self.count("0 of 0")


if __name__ == "__main__":
    unittest.main()
