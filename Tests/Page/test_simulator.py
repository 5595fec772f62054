"""The page on a simulated world: what a person does there happens in the simulator, and what happens in the simulator is shown."""

import subprocess
import time
import unittest

from scene import ALCOVE, Scene


class SimulatorTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene(["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]))
        self.socket = f"{self.scene.folder}/sim.sock"

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def sim(self, *words: str) -> str:
        return subprocess.run([ALCOVE, "sim", *words, "--socket", self.socket], check=True, capture_output=True, text=True).stdout

    def test_page_and_simulator_are_in_step(self) -> None:
        self.sim("start", "--scenario", "verified_chat")
        self.scene.callback(self.sim, "shutdown")
        address = self.sim("view", "--web", "--no-browser").split(": ", 1)[1].strip()
        page = self.scene.browser.new_page()
        page.on("pageerror", lambda error: self.scene.complaints.append(str(error)))
        page.goto(address)
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
        self.sim("start", "--scenario", "verified_chat")
        self.scene.callback(self.sim, "shutdown")
        address = self.sim("view", "--web", "--no-browser").split(": ", 1)[1].strip()
        page = self.scene.browser.new_page()
        page.on("pageerror", lambda error: self.scene.complaints.append(str(error)))
        page.goto(address)
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

    def test_time_can_stand_still(self) -> None:
        self.sim("start", "--scenario", "verified_chat")
        self.scene.callback(self.sim, "shutdown")
        self.sim("view", "--web", "--no-browser", "--stands-still")
        before = self.sim("status", "--json")
        time.sleep(0.3)
        self.assertEqual(self.sim("status", "--json"), before)


if __name__ == "__main__":
    unittest.main()
