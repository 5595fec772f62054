"""Voice messages that are recorded while other things happen: another window, a slow way, a host that ends, a room that does."""

import unittest

from scene import Scene, wait

MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
# The streams that the page has, so that a test can look whether the microphone is on, and pull it out.
STREAMS = """(() => {
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    window.streams = [];
    navigator.mediaDevices.getUserMedia = async (wish) => { const stream = await ask(wish); streams.push(stream); return stream; };
})()"""
IS_ON = "streams.some(stream => stream.getTracks().some(track => track.readyState === 'live'))"


class VoiceTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene(MICROPHONE))
        self.ada, self.ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(self.ada, self.ben, "Ben", "Ada")

    def tearDown(self) -> None:
        self.assertEqual([text for text in self.scene.complaints if "WebSocket" not in text], [])

    def page(self, **options):
        page = self.scene.page(self.ada, **options)
        page.evaluate(STREAMS)
        page.locator(".room", has_text="Ben").click()
        page.locator(".link", has_text="Connected, verified").wait_for()
        return page

    def record(self, page) -> None:
        page.get_by_role("button", name="Record a voice message").click()
        page.locator(".levels i").nth(3).wait_for()

    def states(self) -> list[dict]:
        """What the core knows to be recorded."""
        views = self.ada.ask("reply", type="ask", query="state")["result"]["views"]
        return [view["recording"] for view in views if "recording" in view]

    def is_on(self) -> bool:
        return any("since" in state for state in self.states())

    def sent(self) -> int:
        return self.ada.texts().count('"kind": "voice"')

    def test_recording_waits_for_no_answer(self) -> None:
        page = self.page(delay=1)
        begin = page.get_by_role("button", name="Record a voice message")
        begin.click()
        page.locator(".recording").wait_for(timeout=900)
        # Thrown away and begun anew before the core has heard of the first.
        page.keyboard.press("Escape")
        begin.click(timeout=900)
        page.locator(".levels i").nth(3).wait_for(timeout=1900)
        self.assertFalse(self.states())
        wait(self.is_on)
        page.get_by_role("button", name="Send the recording").click()
        page.locator(".recording").wait_for(state="detached", timeout=900)
        wait(lambda: self.sent() == 1)
        wait(lambda: not self.states())
        self.assertFalse(page.evaluate(IS_ON))

    def test_each_window_has_its_own_and_leaving_is_said(self) -> None:
        one, other = self.page(), self.page()
        self.record(one)
        one.bring_to_front()
        self.record(other)
        wait(lambda: len(self.states()) == 2)
        other.get_by_role("button", name="Throw the recording away").click()
        wait(lambda: len(self.states()) == 1)
        self.assertTrue(one.evaluate(IS_ON))
        one.bring_to_front()
        one.get_by_role("navigation").get_by_role("button", name="Notes").click()
        one.get_by_text("The recording was thrown away, because the conversation was left.").wait_for()
        wait(lambda: not one.evaluate(IS_ON) and not self.states())
        self.assertEqual(self.sent(), 0)

    def test_a_room_that_ends_turns_the_microphone_off(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        self.ben.do(type="delete_room", room=self.ben.room("Ada")["id"])
        page.get_by_text("The recording was thrown away, because nothing can be said in this room now", exact=False).wait_for()
        page.locator(".recording").wait_for(state="detached")
        self.assertFalse(page.evaluate(IS_ON))

    def test_a_page_that_is_loaded_again_says_what_is_lost(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        page.reload()
        page.get_by_text("The window in which this was under way was closed or loaded again.", exact=False).wait_for()
        wait(lambda: not self.states())
        self.assertEqual(self.sent(), 0)

    def test_a_microphone_that_is_pulled_out(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        page.evaluate("streams.forEach(stream => stream.getTracks().forEach(track => track.stop()))")
        page.get_by_text("The microphone cannot be used.").wait_for()
        page.locator(".composer textarea").wait_for()
        wait(lambda: not self.states())

    def test_after_fifteen_minutes_it_waits(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        page.evaluate("{ const now = performance.now.bind(performance); performance.now = () => now() + 15 * 60_000; }")
        page.locator(".recording-dot").wait_for(state="detached")
        self.assertFalse(page.evaluate(IS_ON))
        page.get_by_text("15:00").wait_for()
        self.assertEqual(self.sent(), 0)
        page.get_by_role("button", name="Send the recording").click()
        wait(lambda: self.sent() == 1)

    def test_a_host_that_begins_anew_ends_no_recording(self) -> None:
        page = self.page()
        self.record(page)
        wait(self.is_on)
        self.ada.kill()
        page.get_by_text("Not connected to Alcove.", exact=False).wait_for()
        self.assertTrue(page.evaluate(IS_ON))
        self.ada.restart()
        wait(self.is_on)
        page.get_by_role("button", name="Send the recording").click()
        page.locator(".message.own .waveform").wait_for()
        wait(lambda: self.sent() == 1 and not self.states())


if __name__ == "__main__":
    unittest.main()
