"""A page that begins: hosts that say nothing or begin anew, what cannot be drawn, files that do not come. It goes on, or says what is wrong."""

import json
import re
import unittest

from scene import PATIENCE, Scene, wait

# Waiting for the host's welcome is as long as a person waits, so the tests wait less.
SOON = "(() => { const later = setTimeout; window.setTimeout = (act, time, ...rest) => later(act, time >= 5000 ? 300 : time, ...rest); })()"


def lock(title: str) -> dict:
    """The smallest screen."""
    return {"id": "lock", "role": "screen", "children": [{"id": "lock.title", "role": "text", "label": {"said": title}}]}


def until(page, holds) -> None:
    """Also for what the browser tells by itself, which comes only while it is asked for something."""
    wait(lambda: (page.wait_for_timeout(20), holds())[1], 20)


class Script:
    """A host that says what a test wants it to say."""

    def __init__(self, page, trees: list[dict | None]) -> None:
        """One tree for each connection, the last one for all that follow; without one it says nothing."""
        self.trees, self.sockets, self.acknowledged = trees, [], []
        page.route_web_socket(re.compile("/socket$"), self.connect)

    def connect(self, socket) -> None:
        number = len(self.sockets)
        self.sockets.append(socket)
        socket.on_message(lambda text: self.hear(socket, number, json.loads(text)))

    def hear(self, socket, number: int, frame: dict) -> None:
        if frame["type"] == "ack":
            self.acknowledged.append((number, frame["rev"]))
        if frame["type"] == "hello" and (tree := self.trees[min(number, len(self.trees) - 1)]):
            self.say(socket, type="welcome", v=1, view=f"client{number}", session=f"session {number}", locked=True)
            self.say(socket, type="tree", rev=1, root=tree, screens=[])

    @staticmethod
    def say(socket, **frame) -> None:
        socket.send(json.dumps(frame))


class StartingTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada = self.scene.host("ada")

    def page(self, **options):
        page = self.scene.browser.new_context(**options).new_page()
        page.set_default_timeout(PATIENCE * 1000)
        return page

    def start(self, page) -> None:
        page.goto(self.scene.address(self.ada))

    def scripted(self, *trees: dict | None):
        page = self.page()
        page.add_init_script(SOON)
        host = Script(page, list(trees))
        self.start(page)
        return page, host

    def test_a_host_that_says_nothing_is_asked_again(self) -> None:
        page, host = self.scripted(None, None, lock("Here at last"))
        page.get_by_text("Alcove does not answer yet.", exact=False).wait_for()
        page.get_by_text("Here at last").wait_for()
        self.assertEqual((len(host.sockets), page.get_by_text("Alcove does not answer yet.", exact=False).count()), (3, 0))

    def test_the_first_tree_of_another_session_is_acknowledged(self) -> None:
        page, host = self.scripted(lock("The one"), lock("The other"))
        until(page, lambda: (0, 1) in host.acknowledged)
        host.sockets[0].close()
        page.get_by_text("The other").wait_for()
        until(page, lambda: any(number > 0 for number, _ in host.acknowledged))

    def test_what_cannot_be_drawn_keeps_nothing_away(self) -> None:
        page, host = self.scripted({"id": "chat", "role": "screen", "children": [{"id": "chat.draft"}, {"id": "chat.status", "label": {"list": 7}}]})
        until(page, lambda: (0, 1) in host.acknowledged)
        self.assertFalse(page.locator(".frame").count())
        host.say(host.sockets[0], type="tree", rev=2, root=lock("This can"), screens=[])
        page.get_by_text("This can").wait_for()

    def test_a_window_that_gets_no_pictures(self) -> None:
        page, host = self.scripted(lock("The first"))
        page.get_by_text("The first").wait_for()
        page.evaluate("window.requestAnimationFrame = () => 0")
        for number, title in enumerate(("The second", "The third"), 2):
            host.say(host.sockets[0], type="tree", rev=number, root=lock(title), screens=[])
            until(page, lambda: page.evaluate("document.querySelector('h1').textContent") == title)
            until(page, lambda: (0, number) in host.acknowledged)

    def test_a_script_that_does_not_come(self) -> None:
        page = self.page()
        page.route(re.compile(r"/page-\w+\.js$"), lambda route: route.fulfill(status=404))
        self.start(page)
        words = page.get_by_text("Alcove does not start.", exact=False)
        self.assertFalse(words.is_visible())
        words.wait_for()
        page.unroute_all()
        words.get_by_role("link").click()
        page.locator(".frame").wait_for()
        self.assertEqual(words.count(), 0)

    def test_a_browser_that_keeps_nothing(self) -> None:
        page = self.page()
        page.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError'); } })")
        self.start(page)
        page.locator(".frame").wait_for()

    def test_a_language_that_does_not_come_at_once(self) -> None:
        page = self.page(locale="de-DE")
        asked = []
        page.route(re.compile(r"/german-\w+\.js$"), lambda route: asked.append(route))
        self.start(page)
        # In English after a while; in German as soon as it comes, however often it did not.
        page.get_by_role("button", name="Settings").wait_for()
        asked[0].abort()
        until(page, lambda: len(asked) == 2)
        asked[1].continue_()
        page.get_by_role("button", name="Einstellungen").wait_for()

    def test_screens_that_do_not_come(self) -> None:
        page = self.page()
        page.route(re.compile(r"/further-\w+\.js$"), lambda route: route.fulfill(status=404))
        self.start(page)
        page.get_by_role("navigation").get_by_role("button", name="Settings").click()
        page.get_by_text("A part of the page does not come.", exact=False).wait_for()
        page.unroute_all()
        page.get_by_role("button", name="Load it again").click()
        page.locator(".settings").wait_for()


if __name__ == "__main__":
    unittest.main()
