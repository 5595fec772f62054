"""Texts that are very long, or written to mislead, and words that are longer in another language."""

import unittest

from scene import Scene


class TextTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.hosts = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(*self.hosts, "Ben", "Ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def test_what_is_too_long_stays_where_it_was_written_and_holds_up_nothing(self) -> None:
        page = self.scene.page(self.hosts[0])
        page.locator(".room").click()
        page.locator(".link", has_text="Connected, verified").wait_for()
        line = page.locator(".composer textarea")
        # More than a message, written in letters that take three bytes each; then more than a frame.
        for text in ("\u5b57" * 40_000, "word " * 450_000 + "."):
            line.evaluate("(line, text) => { line.value = text; line.dispatchEvent(new Event('input', { bubbles: true })); }", text)
            # What the core knows of it is not put in its place, also where nobody writes.
            line.blur()
            page.wait_for_timeout(1000)
            page.get_by_role("button", name="Notes").first.hover()
            self.assertEqual(len(line.input_value()), len(text))
            line.press("Enter")
            page.locator(".toast:not([hidden])", has_text="longer than 64 KiB").wait_for()
            page.wait_for_function("text => document.querySelector('.composer textarea').value.length === text", arg=len(text))
            self.assertEqual(page.locator(".message").count(), 0)
            # What it did to the draft has gone over the connection, too.
            page.wait_for_timeout(1000)
            line.fill("")
        line.fill("after it")
        line.press("Enter")
        other = self.scene.page(self.hosts[1])
        other.locator(".room").click()
        other.locator(".message.other", has_text="after it").wait_for()

    def test_a_link_says_where_it_leads(self) -> None:
        self.hosts[1].say("Ada", "look: \u202ehttps://evil.example/moc.knab.www//:sptth")
        self.hosts[1].say("Ada", "or https://good.example\u202e/moc.live, or https://\u0430pple.example/login")
        page = self.scene.page(self.hosts[0])
        page.locator(".room").click()
        links = page.locator(".message.other a")
        links.nth(2).wait_for()
        self.assertEqual(links.evaluate_all("links => links.map(link => [link.href, link.textContent, getComputedStyle(link).unicodeBidi])"), [
            ["https://evil.example/moc.knab.www//:sptth", "https://evil.example/moc.knab.www//:sptth", "isolate"],
            ["https://good.example/", "https://good.example", "isolate"],
            ["https://xn--pple-43d.example/login", "https://\u0430pple.example/login (xn--pple-43d.example)", "isolate"],
        ])

    def test_every_place_is_in_the_bar_of_a_phone_in_german(self) -> None:
        for width in (320, 360, 390):
            page = self.scene.page(self.hosts[0], width=width, locale="de-DE")
            page.locator(".place").last.wait_for()
            edges = page.locator(".place").evaluate_all("places => places.map(place => place.getBoundingClientRect()).map(({ left, right, width }) => [left, right, width])")
            self.assertTrue(all(left >= 0 and right <= width and size >= 44 for left, right, size in edges), (width, edges))
            if width >= 360:
                cut = page.locator(".place-name").evaluate_all("names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)")
                self.assertEqual(cut, [], "names are cut off")
            page.context.close()

    def test_what_is_no_code_is_not_sent(self) -> None:
        page = self.scene.page(self.scene.host("cleo"))
        page.get_by_role("button", name="Enter a code").click()
        page.get_by_label("Code and words").fill("12")
        page.get_by_role("main").get_by_role("button", name="Join").click()
        page.locator(".toast:not([hidden])", has_text="482913-maple-otter").wait_for()
        self.assertEqual(page.get_by_label("Code and words").get_attribute("aria-invalid"), "true")


if __name__ == "__main__":
    unittest.main()
