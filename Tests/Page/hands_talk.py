"""What a person does with the pointer in a conversation and beside it, of which the other side learns."""

from pair import ISOLATES, Pair
from scene import wait


class TalkHands(Pair):
    def test_the_other_side_sees_that_one_types(self) -> None:
        box = self.ada.locator(".composer textarea")
        typing, row = self.ben.locator(".is-typing"), self.ben.locator(".room", has_text="Ada").locator(".latest.typing")
        box.press_sequentially("Perhaps")
        typing.get_by_text("The other person is typing").wait_for()
        row.wait_for()
        # Who thinks better of it has stopped, and so has who sends it.
        box.fill("")
        typing.wait_for(state="detached")
        row.wait_for(state="detached")
        box.press_sequentially("Certainly")
        typing.wait_for()
        box.press("Enter")
        self.ben.locator(".message.other", has_text="Certainly").wait_for()
        typing.wait_for(state="detached")

    def test_a_tick_says_that_a_message_has_come_and_that_it_was_seen(self) -> None:
        self.place(self.ben, "Notes")
        self.write(self.ada, "Have you seen it?")
        message = self.ada.locator(".message.own", has_text="Have you seen it?")
        message.get_by_role("img", name="Delivered").wait_for()
        self.assertEqual(message.locator(".mark").get_attribute("title"), "Delivered")
        self.enter(self.ben, "Ada")
        message.get_by_role("img", name="Seen").wait_for()
        self.assertEqual(message.get_by_role("img", name="Delivered").count(), 0)

    def test_how_long_messages_stay_is_agreed(self) -> None:
        sheet = self.settings(self.ada)
        lifetimes = sheet.get_by_role("radiogroup", name="Both keep messages")
        lifetimes.get_by_role("radio", name="1 hour").click()
        lifetimes.get_by_role("radio", name="1 hour").get_by_text("asked").wait_for()
        self.assertTrue(lifetimes.get_by_role("radio", name="1 day").is_disabled())
        self.answer(self.ben, "Decline", "go after 1 hour")
        self.ada.locator(".notices", has_text="The other person wants to keep the present lifetime.").wait_for()
        self.ada.locator(".notices").get_by_role("button", name="Dismiss").click()
        lifetimes.get_by_role("radio", name="Until the room is deleted", checked=True).wait_for()
        lifetimes.get_by_role("radio", name="1 day").click()
        self.answer(self.ben, "Agree", "go after 1 day")
        lifetimes.get_by_role("radio", name="1 day", checked=True).wait_for()
        self.ada.get_by_role("button", name="Back", exact=True).click()
        for page in (self.ada, self.ben):
            page.locator(".message.event", has_text="You both agreed: messages").last.wait_for()
            self.assertEqual(ISOLATES.sub("", page.locator(".message.event").last.inner_text()), "You both agreed: messages go after 1 day.")
            page.locator(".composer .chip").wait_for()
        # And back again, from the other side.
        self.settings(self.ben).get_by_role("radio", name="Until the room is deleted").click()
        self.answer(self.ada, "Agree", "stay until the room is deleted")
        self.ada.locator(".composer .chip").wait_for(state="detached")

    def test_a_file_is_paused_and_resumed(self) -> None:
        self.give(self.ada, "film.bin", 24 << 20)
        card = self.ben.locator(".message.other .file", has_text="film.bin")
        receive = card.get_by_role("button", name="Receive")
        receive.wait_for()
        # Nothing comes before it is paused, however slow this machine is.
        with self.held(self.hosts[0]):
            receive.click()
            card.get_by_role("button", name="Pause").click()
            card.get_by_text("Paused").wait_for()
        resume = card.get_by_role("button", name="Resume")
        self.ben.wait_for_timeout(300)
        self.assertTrue(resume.is_visible())
        resume.click()
        card.get_by_text("Received").wait_for()
        self.ada.locator(".message.own .file", has_text="film.bin").get_by_text("The other person has the file").wait_for()

    def test_what_is_written_in_another_window_is_taken_over(self) -> None:
        box = self.ada.locator(".composer textarea")
        box.press_sequentially("Half a thought")
        other = self.scene.page(self.hosts[0])
        self.enter(other, "Ben")
        take = other.get_by_role("button", name="Go on with what is written in another window")
        take.click()
        wait(lambda: other.locator(".composer textarea").input_value() == "Half a thought")
        take.wait_for(state="detached")
        # It is in one window only, or it would be sent twice.
        wait(lambda: box.input_value() == "")
        other.locator(".composer textarea").press_sequentially(" made whole")
        other.keyboard.press("Enter")
        self.ben.locator(".message.other", has_text="Half a thought made whole").wait_for()
        other.context.close()

    def test_messages_are_kept_as_they_came(self) -> None:
        kept = self.settings(self.ben).get_by_role("switch", name="Keep messages as they came")
        kept.click()
        self.settings_hold(kept, "true")
        self.enter(self.ben, "Ada")
        for text in ("The first boat", "The second boat"):
            self.write(self.ada, text)
            self.ben.locator(".message.other", has_text=text).wait_for()
        own = self.ada.locator(".message.own", has_text="The first boat")
        own.click(button="right")
        self.ada.get_by_role("menuitem", name="Edit").click()
        self.write(self.ada, "The third boat")
        other = self.ada.locator(".message.own", has_text="The second boat")
        other.click(button="right")
        self.ada.get_by_role("menuitem", name="Delete").click()
        self.ada.get_by_role("dialog").get_by_role("button", name="Delete").click()
        self.ada.locator(".message.own", has_text="The third boat").get_by_role("img", name="The other person keeps what it said before.").wait_for()
        self.assertEqual([self.ben.locator(".message.other", has_text=text).count() for text in ("The first boat", "The second boat", "The third boat")], [1, 1, 0])
        self.settings(self.ben).get_by_role("switch", name="Keep messages as they came").click()
        self.settings_hold(kept, "false")

    def settings_hold(self, switch, state: str) -> None:
        wait(lambda: switch.get_attribute("aria-checked") == state)
