#!/usr/bin/env python3
"""Lists the rooms of a running host process, and with a name and a text says something in one of them.

    alcove host run &
    python3 rooms.py ~/.local/share/alcove
    python3 rooms.py ~/.local/share/alcove Ben "Home at eight"

docs/protocols/host-socket.md describes the frames.
"""

import json
import secrets
import socket
import sys


class Host:
    def __init__(self, profile):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(profile + "/host.sock")
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.number = 0
        self.send(type="hello", v=1)
        self.welcome = self.hear("welcome")

    def send(self, **frame):
        self.socket.sendall(json.dumps(frame).encode() + b"\n")

    def hear(self, kind):
        for line in self.lines:
            frame = json.loads(line)
            if frame["type"] == "bye":
                sys.exit(f"the host ended the connection: {frame['reason']}")
            if frame["type"] == kind and frame.get("n", self.number) == self.number:
                return frame
        sys.exit("the host has ended")

    def ask(self, answer, **frame):
        self.number += 1
        self.send(n=self.number, **frame)
        return self.hear(answer)


def main(profile, name=None, text=None):
    host = Host(profile)
    if host.welcome["locked"]:
        sys.exit("the profile is locked; open it with: alcove room list")
    rooms = [entry["room"] for entry in host.ask("reply", type="ask", query="state")["result"]["rooms"]]
    if name is None:
        for room in rooms:
            print(room["name"] or room.get("code", ""), room["status"])
        return
    named = [room["id"] for room in rooms if room["name"] == name]
    if len(named) != 1:
        sys.exit(f"{len(named)} rooms are called {name}")
    # The same digits, sent again after a broken connection, make the same message: it is said once.
    fresh = secrets.token_hex(32)
    action = {"type": "send_text", "room": named[0], "text": text}
    answer = host.ask("did", type="dispatch", fresh=fresh, action=action)
    if "code" in answer:
        sys.exit(f"it was not taken: {answer['code']}")
    # The host took it. Whether the room did, too, is seen by the message being there.
    entries = host.ask("reply", type="ask", query="state")["result"]["rooms"]
    entry = next(entry for entry in entries if entry["room"]["id"] == named[0])
    is_there = any(message["id"] == fresh[:32] for message in entry["messages"]["all"])
    print("said" if is_there else "the room did not take it")


if __name__ == "__main__":
    main(*sys.argv[1:])
