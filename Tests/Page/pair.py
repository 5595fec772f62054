"""Two people who are connected, each with a page that lasts for all tests of a module: most of what one does by hand leaves the rest as it was."""

import contextlib
import re
import signal
import unittest

from scene import Scene, send_given

# What surrounds a name, so that its direction changes nothing.
ISOLATES = re.compile("[\u2066-\u2069]")
MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]


class Pair(unittest.TestCase):
    """Ada calls the room "Ben", and Ben calls it "Ada"."""

    @classmethod
    def begin(cls) -> None:
        """For all tests of a module, before the first one."""
        cls.scene = unittest.enterModuleContext(Scene(MICROPHONE))
        cls.hosts = cls.scene.host("ada"), cls.scene.host("ben")
        cls.scene.meet(*cls.hosts, "Ben", "Ada")
        cls.pages = [cls.scene.page(host) for host in cls.hosts]

    def setUp(self) -> None:
        self.ada, self.ben = self.pages
        for page, name in ((self.ada, "Ben"), (self.ben, "Ada")):
            # A test that failed leaves something open.
            if page.locator("dialog, .menu-scrim").count():
                page.reload()
                page.locator(".frame").wait_for()
            self.enter(page, name)
            page.locator(".link", has_text="Connected, verified").wait_for()

    def tearDown(self) -> None:
        found = list(self.scene.complaints)
        self.scene.complaints.clear()
        self.assertEqual(found, [])

    @staticmethod
    def enter(page, name: str) -> None:
        if page.locator(".room").count() == 0:
            Pair.place(page, "Rooms")
        page.locator(".room", has_text=name).first.click()
        page.locator(".head h1", has_text=name).wait_for()

    @staticmethod
    def place(page, name: str) -> None:
        page.get_by_role("navigation").get_by_role("button", name=re.compile(f"^{name}(,|$)")).click()
        page.get_by_role("heading", level=1, name=name).wait_for()

    @staticmethod
    @contextlib.contextmanager
    def held(host):
        """A host that stands still for a moment, so that what it is to do has not happened yet."""
        host.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            host.process.send_signal(signal.SIGCONT)

    def give(self, page, name: str, size: int) -> None:
        """Sends a file of zeros."""
        path = f"{self.scene.folder}/{name}"
        with open(path, "wb") as file:
            file.truncate(size)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Attach a file").click()
        chooser.value.set_files(path)
        send_given(page)

    @staticmethod
    def choose(page, name: str) -> None:
        """Something in the menu of the room that is open."""
        page.locator(".head-actions").get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name=name).click()

    def settings(self, page):
        self.choose(page, "Room settings")
        page.locator(".room-settings").wait_for()
        return page.locator(".room-settings")

    @staticmethod
    def write(page, text: str) -> None:
        box = page.locator(".composer textarea")
        box.fill(text)
        box.press("Enter")

    def answer(self, page, name: str, proposal: str) -> None:
        """To the other person's proposal of how long messages stay."""
        banner = page.locator(".banner", has_text="The other person proposes")
        self.assertEqual(ISOLATES.sub("", banner.locator(".banner-words").inner_text()), f"The other person proposes that messages {proposal}.")
        banner.get_by_role("button", name=name).click()
        banner.wait_for(state="detached")

    def trust(self) -> None:
        """Both are in each other's circle."""
        self.scene.trust(*self.hosts, "Ben", "Ada")

    def unverified(self, name: str, other_name: str) -> None:
        """A further room of the two, entered without the words; its page is open at both."""
        code, _ = self.hosts[0].invite(name)
        self.hosts[1].do(type="join_room", code=code, name=other_name)
        for page, called in ((self.ada, name), (self.ben, other_name)):
            self.enter(page, called)
            page.locator(".link", has_text="not verified").wait_for()
