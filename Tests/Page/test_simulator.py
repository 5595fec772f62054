"""The page on a simulated world: what a person does there happens in the simulator, and what happens in the simulator is shown."""

import json
import subprocess
import time
import unittest

from audit import findings
from scene import ALCOVE, Scene, see, wait


class SimulatorTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene(["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]))
        self.socket = f"{self.scene.folder}/sim.sock"

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def sim(self, *words: str) -> str:
        return subprocess.run([ALCOVE, "sim", *words, "--socket", self.socket], check=True, capture_output=True, text=True).stdout

    def page(self, scenario: str):
        """A page on a situation, which is in a view of its own and begins with the rooms."""
        self.sim("start", "--scenario", scenario)
        self.scene.callback(self.sim, "shutdown")
        address = self.sim("view", "--web", "--no-browser").split(": ", 1)[1].strip()
        page = self.scene.browser.new_page()
        page.on("pageerror", lambda error: self.scene.complaints.append(str(error)))
        page.goto(address)
        page.locator(".frame").wait_for()
        return page

    def test_page_and_simulator_are_in_step(self) -> None:
        page = self.page("verified_chat")
        page.locator(".room").first.click()
        box = page.locator(".composer textarea")
        for _ in range(2):
            # The clock of the simulated world is another one.
            box.fill("From the page")
            box.press("Enter")
        page.locator(".message.own:not(.unsent)", has_text="From the page").nth(1).wait_for()
        self.assertEqual(page.locator(".message.unsent").count(), 0)
        self.sim("assert-text", "From the page")
        self.sim("peer", '{"do":"say","text":"From the simulator"}')
        page.locator(".message.other", has_text="From the simulator").wait_for()
        # Another client goes elsewhere in its own view.
        self.sim("tap", "back")
        self.assertTrue(box.is_visible())

    def test_the_microphone_is_that_of_the_simulator(self) -> None:
        page = self.page("verified_chat")
        page.locator(".room").first.click()
        self.sim("microphone", "refused")
        page.get_by_role("button", name="Record a voice message").click()
        page.get_by_text("The browser does not let Alcove use the microphone.", exact=False).wait_for()
        page.locator(".recording").wait_for(state="detached")
        self.sim("microphone", "works")
        page.get_by_role("button", name="Record a voice message").click()
        page.locator(".levels i").nth(3).wait_for()
        page.get_by_role("button", name="Send the recording").click()
        page.locator(".message.own .waveform").wait_for()
        page.locator(".message.unsent").wait_for(state="detached")
        self.assertEqual(page.locator(".message.own .waveform").count(), 1)

    def test_few_keys_are_seen_where_one_writes_and_in_the_circle(self) -> None:
        page = self.page("keys_low")
        page.locator(".room").first.click()
        page.locator(".banner", has_text="Few one-time keys are left").wait_for()
        page.get_by_role("navigation").get_by_role("button", name="Your circle", exact=True).click()
        pool = page.locator(".person .pool")
        self.assertEqual((pool.get_attribute("data-level"), pool.locator(".pool-count").inner_text()), ("low", "90"))
        # One of three steps is filled.
        filled = "steps => steps.map((step) => getComputedStyle(step).backgroundColor).filter((colour, _, all) => colour !== all[2]).length"
        self.assertEqual(pool.locator(".meter i").evaluate_all(filled), 1)
        page.locator(".person").click()
        page.locator(".member .pool[data-level=low]").wait_for()
        self.assertEqual(findings(page), [])
        page.get_by_role("button", name="Make new keys").click()
        page.locator("section", has_text="One-time keys").locator(".row", has_text="Sets of keys so far").get_by_text("2", exact=True).wait_for()
        page.locator(".pool[data-level=low]").wait_for(state="detached")
        page.get_by_text("Enough keys are left").wait_for()

    def test_the_page_locks_when_it_is_left_and_asks_for_the_passphrase(self) -> None:
        page = self.page("verified_chat")
        page.get_by_role("navigation").get_by_role("button", name="Settings", exact=True).click()
        page.get_by_label("New passphrase").fill("maple otter harbour violin")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("switch", name="Lock when Alcove is not in front").click()
        page.locator("[role=switch][aria-checked=true]", has_text="Lock when").wait_for()
        page.get_by_role("navigation").get_by_role("button", name="Rooms", exact=True).click()
        page.locator(".room").click()
        page.locator(".message", has_text="Is anybody there?").wait_for()
        # The simulator's own screen is the only other one.
        self.sim("dispatch", '{"type":"became_inactive"}')
        self.assertFalse(self.is_locked())
        see(page, "hidden")
        wait(self.is_locked)
        see(page, "visible")
        page.get_by_role("heading", name="Alcove is locked").wait_for()
        self.assertNotIn("Is anybody there?", page.content())
        page.get_by_label("Passphrase", exact=True).fill("maple otter harbour violin")
        page.keyboard.press("Enter")
        page.locator(".room", has_text="Ann").wait_for()

    def is_locked(self) -> bool:
        return json.loads(self.sim("state"))["lock"]["is_locked"]

    def test_time_can_stand_still(self) -> None:
        self.sim("start", "--scenario", "verified_chat")
        self.scene.callback(self.sim, "shutdown")
        self.sim("view", "--web", "--no-browser", "--stands-still")
        before = self.sim("status", "--json")
        time.sleep(0.3)
        self.assertEqual(self.sim("status", "--json"), before)


if __name__ == "__main__":
    unittest.main()
