"""With keys alone: what is said, given and agreed between two people in other ways than by writing."""

from keys import Keys
from pair import Pair
from scene import wait


class KeyHands(Pair):
    def setUp(self) -> None:
        super().setUp()
        self.keys = Keys(self.ada, self)
        self.ada.bring_to_front()
        self.ada.locator(".composer textarea").focus()

    def menu(self, name: str) -> Keys:
        """Something in the menu of the room, from the composer."""
        self.keys.to("More", key="Shift+Tab").press("Enter").at("Room settings")
        return self.keys.to(name, key="ArrowDown", most=8).press("Enter")

    def newest(self) -> Keys:
        """From the composer to the newest message."""
        return self.keys.at("Message", tag="textarea").press("Escape").at("Messages").press("ArrowUp")

    def offered(self, name: str) -> None:
        """Ben's file waits for Ada."""
        self.give(self.ben, name, 24 << 20)
        self.ada.locator(".message.other .file", has_text=name).get_by_role("button", name="Receive").wait_for()
        self.ada.bring_to_front()

    def test_a_voice_message(self) -> None:
        keys, page = self.keys, self.ada
        keys.to("Record a voice message").press("Enter")
        page.locator(".levels i").nth(8).wait_for()
        keys.at("Send the recording").to("Throw the recording away", key="Shift+Tab").press("Enter")
        page.locator(".recording").wait_for(state="detached")
        keys.at("Message", tag="textarea").to("Record a voice message").press("Enter")
        page.locator(".levels i").nth(8).wait_for()
        keys.at("Send the recording").press("Enter")
        page.locator(".message.own .waveform").wait_for()
        keys.at("Message", tag="textarea")
        message = self.ben.locator(".message.other", has=self.ben.locator(".waveform"))
        message.wait_for()
        other = Keys(self.ben, self)
        self.ben.bring_to_front()
        self.ben.locator(".composer textarea").focus()
        other.to("Receive", key="Shift+Tab").press("Enter")
        message.get_by_role("slider").wait_for()
        other.at().to("Play").press("Enter")
        message.locator(".waveform .heard").first.wait_for()
        other.at()

    def test_a_file_is_declined_and_another_one_paused_and_received(self) -> None:
        keys, page = self.keys, self.ada
        self.offered("one.bin")
        page.locator(".composer textarea").focus()
        keys.to("Decline", "one.bin", key="Shift+Tab").press("Enter")
        self.ben.locator(".message.own .file", has_text="one.bin").get_by_text("Declined").wait_for()
        keys.at()
        self.offered("two.bin")
        card = page.locator(".message.other .file", has_text="two.bin")
        page.locator(".composer textarea").focus()
        with self.held(self.hosts[1]):
            # In the menu of the message, as with every other thing that can be done with it.
            self.newest().at("Ben,").press("Enter").at("Reply").to("Receive", "two.bin", key="ArrowDown", most=12).press("Enter")
            card.get_by_role("button", name="Pause").wait_for()
            keys.at("Ben,").to("Pause", "two.bin").press("Enter")
            card.get_by_text("Paused").wait_for()
        keys.at("Resume", "two.bin").press("Enter")
        card.get_by_text("Received").wait_for()
        keys.at()

    def test_a_place_and_a_reaction(self) -> None:
        keys, page = self.keys, self.ada
        self.menu("Send a place").at("Place", tag="input").type("48.2082, 16.3738").press("Enter")
        page.locator(".message.own .place-card").last.wait_for()
        keys.at("More").to("Message", "Ben")
        self.ben.locator(".message.other .place-card", has_text="48.20820° N").last.wait_for()
        self.write(self.ben, "I know that place")
        page.locator(".message.other", has_text="I know that place").last.wait_for()
        self.newest().at("Ben,").press("ArrowRight").at("React").press("Enter").at("👍").press("ArrowRight").at("❤️").press("Enter")
        self.ben.locator(".message.own", has_text="I know that place").last.locator(".reaction", has_text="❤️").wait_for()
        keys.at("React").press("Escape").at("Ben,")

    def test_how_long_messages_stay(self) -> None:
        keys, page = self.keys, self.ada
        self.menu("Room settings")
        page.locator(".room-settings").wait_for()
        keys.to("Until the room is deleted").press("ArrowRight")
        keys.at().to("1 hour", key="ArrowRight", most=8).press("Enter")
        page.locator(".lifetimes .asked", has_text="1 hour").wait_for()
        keys.at()
        other = Keys(self.ben, self)
        self.ben.bring_to_front()
        self.ben.locator(".composer textarea").focus()
        self.ben.locator(".banner", has_text="The other person proposes").wait_for()
        other.to("Agree", key="Shift+Tab").press("Enter")
        self.ben.locator(".message.event", has_text="You both agreed: messages").last.wait_for()
        other.at()
        page.get_by_role("radio", name="1 hour", checked=True).wait_for()
        page.bring_to_front()
        keys.at()
        self.hosts[0].do(type="propose_lifetime", room=self.hosts[0].room("Ben")["id"], lifetime="keep")
        self.answer(self.ben, "Agree", "stay until the room is deleted")

    def test_from_the_number_to_a_sealed_message(self) -> None:
        self.unverified("Eve", "Dan")
        keys, page = self.keys, self.ada
        page.bring_to_front()
        page.locator(".composer textarea").focus()
        keys.to("Compare the safety number", key="Shift+Tab").press("Enter")
        page.locator(".digit-groups").wait_for()
        keys.at().to("They differ").press("Enter").at("Cancel").stays(4).to("Cancel").press("Enter").at("They differ")
        keys.to("They are the same", key="Shift+Tab").press("Enter")
        page.locator(".verdict.good", has_text="comparing the safety number").wait_for()
        keys.at().press("Escape")
        page.locator(".composer").wait_for()
        room, other = self.hosts[0].room("Eve"), self.hosts[1].room("Dan")
        self.hosts[1].do(type="compare_safety_number", room=other["id"], matches=True)
        self.hosts[1].trust("Dan")
        page.locator(".banner", has_text="wants you in their circle").wait_for()
        keys.at().to("Add", "circle", key="Shift+Tab").press("Enter")
        page.locator(".message.event", has_text="You are in each other's circle now.").wait_for()
        keys.at().to("Message", "Eve").type("By the bridge")
        wait(lambda: "By the bridge" in self.hosts[0].texts())
        self.menu("Seal into a file")
        page.locator(".message.own", has_text="By the bridge").locator("p.carried").wait_for()
        keys.at("More")
        wait(lambda: page.locator(".composer textarea").input_value() == "")
        for host, known in zip(self.hosts, (room, other)):
            host.do(type="delete_room", room=known["id"])

    def test_the_profile_is_exported(self) -> None:
        keys, page = self.keys, self.ada
        page.get_by_role("navigation").get_by_role("button", name="Settings").focus()
        keys.press("Enter")
        page.locator(".settings").wait_for()
        keys.to("Passphrase for the new file").type("maple otter harbour violin").press("Enter")
        page.get_by_text("The archive is ready").wait_for()
        keys.at()
        save = page.locator("#settings-archive").get_by_role("link", name="Save")
        for _ in range(20):
            if save.evaluate("link => link === document.activeElement"):
                break
            keys.press("Tab")
        keys.at("Save", tag="a")
        with page.expect_download() as download:
            keys.press("Enter")
        self.assertRegex(download.value.suggested_filename, r"\.backup$")
        keys.at("Save", tag="a")
