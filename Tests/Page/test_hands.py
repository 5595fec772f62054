"""What a person does by hand that nothing else here does: with the pointer in a conversation and in the list of rooms, and then with keys alone.

All of it happens in one scene, because its start takes longer than most of these tests.
"""

import unittest

import hands_keys
import hands_rooms
import hands_talk
from pair import Pair


def setUpModule() -> None:
    Pair.begin()


class TalkHands(hands_talk.TalkHands):
    pass


class RoomHands(hands_rooms.RoomHands):
    pass


class KeyHands(hands_keys.KeyHands):
    pass


if __name__ == "__main__":
    unittest.main()
