"""Settings: what one chooses holds in every window, and what cannot be undone wants to be meant."""

import json
import re
import socketserver
import threading
import unittest

from audit import findings
from scene import Scene, wait


class Stun(socketserver.BaseRequestHandler):
    """Answers a Binding request, and refuses every other one, as a TURN server does to strangers (RFC 8489 section 5)."""

    def handle(self) -> None:
        request, socket = self.request
        answer = b"\x01\x01" if request[:2] == b"\x00\x01" else bytes([request[0] | 1, request[1] | 0x10])
        # 403, so that nobody asks again with a password.
        error = b"" if request[:2] == b"\x00\x01" else b"\x00\x09\x00\x04\x00\x00\x04\x03"
        socket.sendto(answer + len(error).to_bytes(2, "big") + request[4:20] + error, self.client_address)


class SettingsTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def settings(self, **options):
        page = self.scene.page(self.ada, **options)
        page.get_by_role("navigation").get_by_role("button", name="Settings").click()
        page.locator(".settings").wait_for()
        return page

    def test_the_theme_holds_in_every_window(self) -> None:
        one, other = self.settings(), self.scene.page(self.ada)
        paper = "getComputedStyle(document.body).backgroundColor"
        light = other.evaluate(paper)
        one.get_by_role("radio", name="Dark").click()
        wait(lambda: other.evaluate(paper) != light)
        other.reload()
        other.locator(".frame").wait_for()
        self.assertEqual(other.evaluate("document.documentElement.dataset.theme"), "dark")
        one.get_by_role("radiogroup", name="Appearance").get_by_role("radio", name="As the system").click()
        wait(lambda: other.evaluate(paper) == light)

    def test_the_language_holds_in_every_window(self) -> None:
        self.ada.invite("Mira")
        one, other = self.settings(), self.scene.page(self.ada)
        other.locator(".room", has_text="Waiting for the other person").wait_for()
        one.get_by_role("radio", name="Deutsch").click()
        one.get_by_role("heading", name="Einstellungen").wait_for()
        other.locator(".room", has_text="Wartet, bis die andere Person").wait_for()
        self.assertEqual([page.evaluate("document.documentElement.lang") for page in (one, other)], ["de", "de"])
        self.assertIn("Räume", other.title())
        self.assertRegex(one.locator(".usage-parts dd").first.inner_text(), r"^\d+(,\d+)? \w+$")
        other.reload()
        other.get_by_role("button", name="Neuer Raum").first.wait_for()
        one.get_by_role("radio", name="English").click()
        one.get_by_role("heading", name="Settings").wait_for()
        other.locator(".room", has_text="Waiting for the other person").wait_for()

    def test_a_german_browser_is_spoken_to_in_german_unless_one_chooses_english(self) -> None:
        page = self.scene.page(self.ada, locale="de-AT")
        page.get_by_role("heading", name="Willkommen").wait_for()
        self.assertEqual(findings(page), [])
        page.get_by_role("navigation").get_by_role("button", name="Einstellungen").click()
        page.get_by_role("radio", name="Wie das System").nth(1).wait_for()
        page.get_by_role("radio", name="English").click()
        page.get_by_role("heading", name="Settings").wait_for()
        self.assertEqual(page.evaluate("document.documentElement.lang"), "en")

    def test_the_name_is_asked_for_first_and_stands_beside_comments(self) -> None:
        page = self.scene.page(self.ada)
        page.get_by_role("button", name="Say what you are called").press("Enter")
        page.get_by_label("Your name").press_sequentially("Ada Lovelace")
        page.keyboard.press("Enter")
        page.get_by_text("You are Ada Lovelace").wait_for()
        page.get_by_label("New passphrase").wait_for()
        page.get_by_role("navigation").get_by_role("button", name="Settings").click()
        self.assertEqual(page.get_by_label("Your name").input_value(), "Ada Lovelace")
        page.get_by_label("Your name").fill("Ada L.")
        wait(lambda: self.ada.state()["settings"].get("name") == "Ada L.")
        note = self.ada.make_note("Ferry", "oat milk")
        self.ada.do(type="comment_note", note=note, quote="oat milk", text="two")
        page.get_by_role("navigation").get_by_role("button", name="Notes").click()
        page.locator(".note-item").click()
        page.locator(".panels", has_text="Ada L.").wait_for()

    def test_the_page_hides_while_another_window_is_in_front(self) -> None:
        page = self.settings()
        page.get_by_role("switch", name="Hide what is on the screen").click()
        page.locator("[role=switch][aria-checked=true]", has_text="Hide what is on the screen").wait_for()
        # Also what lies above everything, which keeps the focus.
        page.keyboard.press("Control+k")
        page.keyboard.type("set")
        page.evaluate("document.hasFocus = () => false; dispatchEvent(new Event('blur'))")
        page.get_by_text("Hidden while another window is in front").wait_for()
        seen = """() => {
            const dialog = document.querySelector("dialog");
            const { left, top, width } = dialog.getBoundingClientRect();
            return [getComputedStyle(dialog).opacity, getComputedStyle(dialog, "::backdrop").opacity, dialog.contains(document.elementFromPoint(left + width / 2, top + 20))];
        }"""
        self.assertEqual(page.evaluate(seen), ["0", "0", False])
        self.assertEqual(page.title(), "Alcove")
        page.evaluate("document.hasFocus = () => true; dispatchEvent(new Event('focus'))")
        page.get_by_text("Hidden while another window is in front").wait_for(state="detached")
        self.assertEqual(page.evaluate(seen), ["1", "1", True])
        self.assertEqual(page.title(), "Settings · Alcove")
        page.keyboard.type("tings")
        self.assertEqual(page.locator("dialog input").input_value(), "settings")

    def test_a_server_that_answers_and_one_that_does_not(self) -> None:
        page = self.settings()
        address, check = page.get_by_label("Address"), page.get_by_role("button", name="Ask whether the server answers")
        self.assertEqual(address.input_value(), self.scene.server)
        check.click()
        page.get_by_text("It answers and is well.").wait_for()
        address.fill("http://127.0.0.1:1")
        check.click()
        page.locator(".health", has_text="No server answers at").wait_for()
        address.fill("ftp://nowhere")
        check.click()
        page.locator(".notices").wait_for()

    def test_servers_that_find_a_path_are_added_tried_and_removed(self) -> None:
        site = self.enterContext(socketserver.ThreadingUDPServer(("127.0.0.1", 0), Stun))
        threading.Thread(target=site.serve_forever, daemon=True).start()
        self.addCleanup(site.shutdown)
        place = f"127.0.0.1:{site.server_address[1]}"
        page = self.settings()
        section = page.locator("#settings-ice")
        section.get_by_text("New connections use those that the room's server hands out.").wait_for()
        address = section.get_by_label("STUN or TURN server", exact=True)
        address.press_sequentially(f"stun:{place}")
        page.keyboard.press("Enter")
        section.locator("li", has_text=f"stun:{place}").wait_for()
        page.locator("input[name=url]:focus").wait_for()
        self.assertEqual(address.input_value(), "")
        # What the core refuses stays in the form.
        page.keyboard.type(f"turn:{place}")
        page.keyboard.press("Enter")
        page.locator(".notices", has_text="needs its user name and its password").wait_for()
        section.get_by_label("User name").fill("ada")
        section.get_by_label("Password").fill("not-the-word")
        page.keyboard.press("Enter")
        turn = section.locator("li", has_text=f"turn:{place}")
        turn.get_by_text("as ada").wait_for()
        section.get_by_role("button", name="Try the STUN and TURN servers").click()
        section.locator("li", has_text=f"stun:{place}").locator(".health[data-health=good]").wait_for()
        turn.locator(".health[data-health=bad]", has_text="Check the user name and the password").wait_for()
        self.assertEqual(findings(page), [])
        page.set_viewport_size({"width": 360, "height": 800})
        self.assertEqual(findings(page), [])
        state = lambda: self.ada.ask("reply", type="ask", query="state")["result"]
        self.assertEqual(len(state()["settings"]["added_ice_servers"]), 2)
        self.assertNotIn("not-the-word", json.dumps(state()) + page.content())
        # Another window adds one and removes the newest; what is typed here, a password too, stays.
        address.fill("turn:half.example")
        section.get_by_label("Password").fill("half a word")
        self.ada.do(type="add_ice_server", url="stun:other.example")
        other = section.locator("li", has_text="stun:other.example")
        other.wait_for()
        self.ada.do(type="remove_ice_server", server=state()["settings"]["added_ice_servers"][-1]["id"])
        other.wait_for(state="detached")
        self.assertEqual(address.input_value(), "turn:half.example")
        self.assertEqual(section.get_by_label("Password").input_value(), "half a word")
        remove = re.compile(f"Remove .*turn:{place}")
        turn.get_by_role("button", name=remove).click()
        page.get_by_role("dialog").get_by_role("button", name=remove).click()
        turn.wait_for(state="detached")
        page.reload()
        section.locator("li", has_text=f"stun:{place}").wait_for()

    def test_storage_and_passphrase(self) -> None:
        page = self.settings()
        page.locator("code", has_text=self.ada.profile).wait_for()
        box, strength = page.get_by_label("New passphrase"), page.locator("#settings-lock .strength")
        for text, level in (("alcove", "weak"), ("correct otter", "fair"), ("maple otter harbour violin", "strong")):
            box.fill(text)
            self.assertEqual(strength.get_attribute("data-strength"), level)
        page.locator("#settings-lock").get_by_role("button", name="Show the passphrase").click()
        self.assertEqual(box.get_attribute("type"), "text")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("switch", name="Lock when Alcove is not in front").wait_for()
        self.assertEqual(box.input_value(), "")

    def test_a_report_is_read_before_it_is_saved(self) -> None:
        self.ada.invite("Mira Okafor")
        page = self.settings()
        page.get_by_role("button", name="Diagnostic report").click()
        text = page.locator(".report-text")
        wait(lambda: len(text.inner_text()) > 2)
        self.assertNotIn("Mira", text.inner_text())
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        self.assertIn("inputs", json.loads(download.value.path().read_text()))
        page.keyboard.press("Escape")
        with page.context.expect_page() as licences:
            page.get_by_role("link", name="Licences").click()
        licences.value.get_by_text("Lucide").first.wait_for()

    def test_erasing_wants_a_word(self) -> None:
        self.ada.invite("Mira")
        page = self.settings()
        page.get_by_role("button", name="Erase everything").click()
        confirm = page.get_by_role("dialog").get_by_role("button", name="Erase everything")
        page.locator("#erase-word:focus").wait_for()
        page.keyboard.type("eras")
        self.assertTrue(confirm.is_disabled())
        page.keyboard.press("Enter")
        self.assertEqual(len(self.ada.rooms()), 1)
        page.keyboard.type("e")
        page.keyboard.press("Enter")
        page.get_by_text("Everything is erased", exact=False).wait_for()
        self.assertEqual(self.ada.rooms(), [])

    def test_the_first_minute_by_keys(self) -> None:
        page = self.scene.page(self.ada)
        page.get_by_role("button", name="Protect this profile").press("Enter")
        page.get_by_label("New passphrase").press_sequentially("maple otter harbour violin")
        page.keyboard.press("Enter")
        page.locator("li", has_text="Protect this profile").locator(".step-picture.done").wait_for()
        page.get_by_role("button", name="Choose the server").press("Enter")
        page.get_by_label("Address").press("Enter")
        page.get_by_text("It answers and is well.").wait_for()
        page.get_by_role("button", name="Invite somebody").press("Enter")
        page.get_by_label("Name (only you see it)").press("Enter")
        page.locator(".words").wait_for()

    def test_nobody_is_shut_out(self) -> None:
        for theme in ("light", "dark"):
            for width in (360, 768, 1280, 1920):
                page = self.settings(width=width, height=800, theme=theme)
                with self.subTest(theme=theme, width=width):
                    self.assertEqual(findings(page), [])
                    page.get_by_role("button", name="Erase everything").click()
                    self.assertEqual(findings(page), [])
                page.context.close()
        mirrored = self.scene.page(self.ada, query="?language=he-x-mirrored")
        mirrored.locator(".place.last").click()
        mirrored.locator(".settings").wait_for()
        self.assertEqual(findings(mirrored), [])


if __name__ == "__main__":
    unittest.main()
