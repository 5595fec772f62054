"""What the list says of each room: what was said last, when, what is new there, what was begun and not sent, and whether it is muted."""

import unittest

from scene import Scene, wait


class RoomListTests(unittest.TestCase):
    def setUp(self) -> None:
        self.scene = self.enterContext(Scene())
        self.ada, self.ben = self.scene.host("ada"), self.scene.host("ben")
        self.scene.meet(self.ada, self.ben, "Ben", "Ada")
        self.scene.meet(self.ada, self.ben, "Mira", "Ada of Mira")

    def tearDown(self) -> None:
        self.assertEqual(self.scene.complaints, [])

    def test_people_find_each_other_again_after_the_servers_of_paths_changed(self) -> None:
        def talks(text: str) -> None:
            self.ada.say("Ben", text)
            wait(lambda: text in self.ben.texts())

        added = lambda: self.ada.ask("reply", type="ask", query="state")["result"]["settings"].get("added_ice_servers") or []
        # One that is added while they talk interrupts nothing; the next path has it.
        self.ada.do(type="add_ice_server", url="stun:127.0.0.1:9")
        talks("one")
        self.ben.kill()
        self.ben.restart()
        talks("two")
        # One that is removed while nobody is at the other end.
        self.ben.kill()
        self.ada.do(type="remove_ice_server", server=added()[0]["id"])
        self.assertEqual(added(), [])
        self.ben.restart()
        talks("three")

    def test_a_room_says_what_is_going_on_in_it(self) -> None:
        page = self.scene.page(self.ada)
        row = page.locator(".room", has_text="Ben")
        mira = page.locator(".room", has_text="Mira")
        self.ben.say("Ada", "The first line\nand a second one")
        row.locator(".latest", has_text="The first line and a second one").wait_for()
        row.locator(".badge", has_text="1").wait_for()
        self.ben.say("Ada", "Another")
        row.locator(".badge", has_text="2").wait_for()
        self.assertIn("Unread", row.locator(".badge").inner_text())
        self.assertRegex(row.locator("time").inner_text(), r"^\d{1,2}:\d\d")
        self.assertTrue(row.locator("time").get_attribute("title"))
        self.assertEqual(mira.locator(".badge").count(), 0)
        # Seen, answered, and something else begun: that stands there once one is elsewhere, and goes once it is sent.
        row.click()
        row.locator(".badge").wait_for(state="detached")
        page.locator(".composer textarea").fill("An answer")
        page.keyboard.press("Enter")
        row.locator(".latest", has_text="You: An answer").wait_for()
        page.locator(".composer textarea").fill("Half a\nthought")
        mira.click()
        page.locator(".head h1", has_text="Mira").wait_for()
        row.locator(".latest", has_text="Draft: Half a thought").wait_for()
        row.click()
        page.locator(".head h1", has_text="Ben").wait_for()
        self.assertEqual(page.locator(".composer textarea").input_value(), "Half a\nthought")
        row.locator(".latest", has_text="You: An answer").wait_for()
        page.locator(".composer textarea").press("Enter")
        mira.click()
        page.locator(".head h1", has_text="Mira").wait_for()
        row.locator(".latest", has_text="You: Half a thought").wait_for()
        # Muted: still counted, and marked.
        self.ada.do(type="mute_room", room=self.ada.room("Ben")["id"], muted=True)
        row.get_by_role("img", name="Muted").wait_for()
        self.ben.say("Ada", "In silence")
        row.locator(".badge.muted", has_text="1").wait_for()

    def test_where_new_messages_begin_stays_in_sight_while_older_ones_are_drawn(self) -> None:
        for number in range(100):
            self.ben.say("Ada", f"Old {number}")
        wait(lambda: "Old 99" in self.ada.texts())
        page = self.scene.page(self.ada)
        row = page.locator(".room", has_text="Ben")
        row.click()
        page.locator(".message", has_text="Old 0").first.wait_for()
        page.locator(".log").evaluate("log => log.scrollTo(0, log.scrollHeight)")
        row.locator(".badge").wait_for(state="detached")
        page.locator(".room", has_text="Mira").click()
        page.locator(".head h1", has_text="Mira").wait_for()
        for number in range(40):
            self.ben.say("Ada", f"New {number}")
        row.locator(".badge", has_text="40").wait_for()
        row.click()
        line = page.get_by_role("separator", name="40 new")
        line.wait_for()
        # Older ones come with the pictures that follow.
        wait(lambda: page.locator(".message").count() == 140)
        page.wait_for_timeout(300)
        top = page.locator(".log").bounding_box()["y"]
        self.assertTrue(top - 2 <= line.bounding_box()["y"] <= top + 60, (top, line.bounding_box()))
        self.assertEqual(page.locator(".new + .message").inner_text().split("\n")[0], "New 0")

    def test_a_name_is_a_name_whatever_it_is_made_of(self) -> None:
        """Markup, a change of direction, letters without a width, marks above each other, and more letters than fit."""
        page = self.scene.page(self.ada)
        room = self.ada.room("Ben")["id"]
        for name in ("<img src=x onerror=alert(1)><b>Ben</b>", "\u202eneB", "B\u200b\u200d\u2060en" + "\u0301" * 40, "W" * 200):
            with self.subTest(name=name[:20]):
                self.ada.do(type="rename_room", room=room, name=name)
                wait(lambda: "Ben" not in [found.get("name") for found in self.ada.rooms()])
                page.wait_for_timeout(300)
                self.assertEqual(page.locator(".room b img, .room b b").count(), 0)
                edge = page.locator(".rooms").evaluate("list => list.getBoundingClientRect().right")
                for line in page.locator(".room .line").all():
                    box = line.bounding_box()
                    self.assertTrue(box["x"] + box["width"] <= edge and box["height"] < 40, box)
                times = page.locator(".room time").evaluate_all("times => times.map(time => time.getBoundingClientRect().right)")
                self.assertEqual(len(times), 2)
                self.assertTrue(all(right <= edge for right in times), times)


if __name__ == "__main__":
    unittest.main()
