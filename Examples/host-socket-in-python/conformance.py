#!/usr/bin/env python3
"""Checks a host process against docs/protocols/host-socket.md: every kind of frame, and every error that can be caused from outside.

    alcove host run --profile /tmp/trial &
    python3 conformance.py /tmp/trial

Use a profile made for it: a room is made and deleted, and for a moment no other program can attach. With --stop the host process is ended, too.
It prints a line for each check, and exits with 1 if something differs.
"""

import base64
import json
import os
import secrets
import socket
import sys
import time

PATIENCE = 30  # seconds for one answer


class Differs(Exception):
    """What the host does is not what the page says."""


class Skipped(Exception):
    """This host cannot be asked that now."""


def expect(condition, text):
    if not condition:
        raise Differs(text)


class Client:
    def __init__(self, profile, hello=True, **members):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(os.path.join(profile, "host.sock"))
        self.rest = b""
        self.number = 0
        if hello:
            self.send(type="hello", **{"v": 1, **members})
            self.welcome = self.next()
            expect(self.welcome and self.welcome["type"] == "welcome", f"hello is answered by {self.welcome}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def write(self, line):
        try:
            self.socket.sendall(line + b"\n")
        except OSError:
            pass  # The host has ended the connection; what it said is still to be read.

    def send(self, **frame):
        self.write(json.dumps(frame).encode())

    def next(self):
        """The next frame; None at the end of the connection."""
        while b"\n" not in self.rest:
            try:
                part = self.socket.recv(1 << 16)
            except ConnectionError:
                part = b""
            except TimeoutError:
                raise Differs(f"nothing came within {PATIENCE} seconds") from None
            if not part:
                return None
            self.rest += part
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def hear(self, *kinds, acknowledges=True):
        """The next frame of one of these kinds. Trees and patches on the way are acknowledged."""
        while True:
            frame = self.next()
            expect(frame is not None, f"the connection ended before {' or '.join(kinds)}")
            if frame["type"] in ("tree", "patch") and acknowledges:
                self.send(type="ack", rev=frame["rev"])
            if frame["type"] in kinds:
                return frame
            expect(frame["type"] != "bye" or "bye" in kinds, f"the host says {frame}")

    def ask(self, answer, **frame):
        """Sends a frame with a number, and gives what answers it."""
        self.number += 1
        self.send(n=self.number, **frame)
        heard = self.hear(answer)
        expect(heard.get("n") == self.number, f"{frame['type']} {self.number} is answered by number {heard.get('n')}")
        return heard

    def did(self, **frame):
        return self.ask("did", **frame).get("code")

    def dispatch(self, kind, **members):
        return self.did(type="dispatch", action={"type": kind, **members})

    def answer(self, query, **members):
        reply = self.ask("reply", type="ask", query=query, **members)
        return reply.get("result"), reply.get("code")

    def end(self):
        """What the host says at the end of the connection."""
        last = None
        while (frame := self.next()) is not None:
            last = frame
        return last

    def look(self, root):
        """Looks at the view, until its tree has this root."""
        self.send(type="look", front=True)
        while True:
            tree = self.hear("tree")
            if tree["root"]["id"] == root:
                return tree


def find(node, name):
    if node["id"] == name:
        return node
    return next(filter(None, (find(child, name) for child in node.get("children", []))), None)


def welcome(host):
    with Client(host) as client:
        frame = client.welcome
        expect(frame["v"] == 1, "v is 1")
        expect(isinstance(frame["view"], str) and isinstance(frame["session"], str), "view and session are texts")
        expect(isinstance(frame["locked"], bool), "locked is true or false")


def options(host):
    with Client(host, options={"server": ["http://nowhere.example"]}) as client:
        expect(client.welcome.get("differs") == ["server"], f"differs is {client.welcome.get('differs')}")


def tree(host):
    with Client(host) as client:
        frame = client.look("rooms")
        expect(isinstance(frame["rev"], int), "rev is a number")
        expect(frame["screens"] and frame["screens"][-1]["page"] == "rooms", "screens end with the one that is shown")


def cover(host):
    with Client(host) as client:
        client.look("rooms")
        client.send(type="look", front=False)
        while client.hear("tree")["root"]["id"] != "cover.screen":
            pass


def seen(host):
    with Client(host) as client:
        client.send(type="look", seen={}, windows={"chat.messages": {"before": 10, "after": 0}})
        client.send(type="ping")
        client.hear("pong")


def patch(host):
    with Client(host) as client:
        client.look("rooms")
        expect(client.dispatch("navigate", to={"page": "create"}) is None, "an action that happened has no code")
        while client.look("create")["root"]["id"] != "create":
            pass
        client.dispatch("edit_create", name="one")
        frame = client.hear("patch", acknowledges=False)
        expect(frame["rev"] == frame["from"] + 1, "a patch makes the next revision")
        fields = [change for change in frame.get("updated", []) if change["id"] == "create.name"]
        expect(fields, "the field that was changed is among the updated nodes")


def back_pressure(host):
    with Client(host) as client:
        client.look("rooms")
        client.dispatch("navigate", to={"page": "create"})
        client.hear("tree", acknowledges=False)
        for name in ("one", "two", "three"):
            client.send(type="dispatch", n=7, action={"type": "edit_create", "name": name})
        client.send(type="ping")
        frames = []
        while not frames or frames[-1]["type"] != "pong":
            frames.append(client.next())
        expect(not any(frame["type"] in ("tree", "patch") for frame in frames), "a patch came before the last was shown")


def act(host):
    with Client(host) as client:
        client.look("rooms")
        expect(client.did(type="act", node="rooms.create", offer="tap") is None, "the offer of a node is taken")
        code = client.did(type="act", node="create.name", offer="set_text", inputs={"name": "x"})
        expect(code is None, f"a text is entered: {code}")


def offers(host):
    def nodes(node):
        return [node] + [inner for child in node.get("children", []) for inner in nodes(child)]

    with Client(host) as client:
        root = client.look("rooms")["root"]
        for node in nodes(root):
            for offer in node.get("offers", []) + node.get("templates", []):
                expect(len(offer.get("kinds", [])) == len(offer["inputs"]), f"each input of {node['id']} has a kind")


def act_gone(host):
    with Client(host) as client:
        expect(client.did(type="act", node="no.such.node", offer="tap") == "gone", "a node that is not there is gone")


def act_misfit(host):
    with Client(host) as client:
        client.look("rooms")
        client.did(type="act", node="rooms.create", offer="tap")
        code = client.did(type="act", node="create.name", offer="set_text", inputs={"name": 3})
        expect(code == "misfit", f"a number for a text is a misfit, and not {code}")


def once(host):
    name, fresh = secrets.token_hex(8), secrets.token_hex(32)
    action = {"type": "create_room", "name": name, "expires_in": 60}

    def rooms(client):
        state, _ = client.answer("state")
        return [entry["room"]["id"] for entry in state["rooms"] if entry["room"].get("name") == name]

    with Client(host) as client:
        for _ in range(2):
            expect(client.did(type="dispatch", fresh=fresh, action=action) is None, "it happened")
    with Client(host) as client:
        expect(client.did(type="dispatch", fresh=fresh, action=action) is None, "on another connection, too")
        made = rooms(client)
        for room in made:
            client.dispatch("delete_room", room=room)
        expect(len(made) == 1, f"it happened {len(made)} times")


def events(host):
    with Client(host) as client:
        for kind in ("tick", "open_view", "close_view"):
            code = client.dispatch(kind)
            expect(code == "misfit", f"{kind} is a misfit, and not {code}")


def secret(host):
    with Client(host) as client:
        kept = client.ask("reply", type="secret", text="maple-otter")["result"]
        expect(client.answer("secret", ref=kept) == ("maple-otter", None), "a secret that is kept can be read")
        passing = client.ask("reply", type="secret", text="correct horse", once=True)["result"]
        expect(isinstance(passing, str) and passing != kept, "a passphrase has a reference of its own")
        expect(client.answer("secret", ref=passing)[1] == "unknown_secret", "a passphrase cannot be read")


def unknown_secret(host):
    with Client(host) as client:
        expect(client.answer("secret", ref="nothing")[1] == "unknown_secret", "it is not known")


def state(host):
    with Client(host) as client:
        result, code = client.answer("state")
        expect(code is None and "rooms" in result and "settings" in result, "the state has rooms and settings")


def status(host):
    with Client(host) as client:
        result, _ = client.answer("status")
        for name in ("pid", "version", "clients", "locked", "rooms", "spare", "notifications"):
            expect(name in result, f"the status has {name}")


def report(host):
    with Client(host) as client:
        for content in (False, True):
            result, code = client.answer("report", content=content)
            expect(code is None and (result is None or {"start", "inputs"} <= set(result)), "a report has start and inputs")


def about_rooms(host):
    with Client(host) as client:
        for query in ("keys_left", "seal_file", "notice"):
            expect(client.answer(query)[1] == "gone", f"{query} without a room is gone")
        for query in ("keys_left", "seal_file"):
            expect(client.answer(query, room="nothing")[1] == "gone", f"{query} of an unknown room is gone")


def failed(host):
    with Client(host) as client:
        given = base64.b64encode(b"this is not sealed").decode()
        expect(client.did(type="give", bytes=given) is None, "bytes are taken")
        result, code = client.answer("open_file")
        expect(code == "failed" and "code" in result, f"what cannot be opened has failed with a reason: {code} {result}")
        expect(client.answer("file_stored")[1] == "gone", "no file was opened")


def give(host):
    with Client(host) as client:
        expect(client.did(type="give", bytes="%%%") == "misfit", "what is not base64 is a misfit")


def qr_code(host):
    with Client(host) as client:
        result, code = client.answer("qr_code", text="482913-maple-otter")
        rows = (result or {}).get("rows", [])
        expect(code is None and rows, "a text is drawn")
        expect(all(len(row) == len(rows) and set(row) <= {"0", "1"} for row in rows), "the code is a square of dark and light modules")
        expect(client.answer("qr_code", text="x" * 513)[1] == "misfit", "a text that is too long is a misfit")


def give_up(host):
    with Client(host) as client:
        expect(client.answer("give_up") == (None, None), "there is nothing to give up")


def documents(host):
    # A Yjs update and a state vector of nothing.
    update, vector = "AAA=", "AA=="
    with Client(host, can=["documents", "of a later version"]) as client:
        client.look("rooms")
        client.dispatch("open_notes")
        title = secrets.token_hex(8)

        def listed():
            return [note["id"] for note in client.answer("state")[0]["notes"]["list"] if note["title"] == title]

        made = client.dispatch("create_note", title=title)
        expect(made is None, "a note is made")
        end = time.monotonic() + PATIENCE
        while not listed():
            expect(time.monotonic() < end, "the note is listed")
        (note,) = listed()
        client.dispatch("open_note", note=note)
        expect(client.ask("reply", type="doc_open", note="none", vector=vector).get("code") == "gone", "a note that is not shown is gone")
        opened = client.ask("reply", type="doc_open", note=note, vector=vector)["result"]
        expect(opened["doc"] == note and opened["readonly"] is False, "the note is lent")
        expect(all(base64.b64decode(opened[name], validate=True) for name in ("vector", "update")), "vector and update are bytes")
        client.send(type="doc_update", doc=note, seq=1, update=update[:0], more=True)
        expect(client.hear("doc_more")["doc"] == note, "the next part may come")
        client.send(type="doc_update", doc=note, seq=1, update=update)
        expect(client.hear("doc_saved")["seq"] == 1, "what was written is saved")
        client.send(type="doc_cursor", doc=note, cursor={"anchor": vector, "head": vector})
        expect(client.ask("reply", type="doc_picture", doc=note, handle="/dev/null/x").get("code") == "gone", "a file that is not there is gone")
        client.dispatch("append_to_note", note=note, text="from elsewhere")
        expect(client.hear("doc_update")["seq"] == 1, "what others write comes")
        client.send(type="doc_ack", doc=note)
        client.send(type="doc_update", doc=note, seq=2, update="%")
        expect(client.hear("doc_closed")["reason"] == "misfit", "what is no update closes the document")
        client.send(type="doc_close", doc=note)
        client.dispatch("delete_note", note=note)
        client.dispatch("close_notes")


def unknown_query(host):
    with Client(host) as client:
        expect(client.answer("weather")[1] == "unknown_query", "it is not known")


def locked(host):
    with Client(host) as client:
        if not client.welcome["locked"]:
            raise Skipped("the profile is open")
        client.look("lock")
        for query in ("keys_left", "report", "open_file"):
            expect(client.answer(query)[1] == "locked", f"{query} needs the keys")


def changed(host):
    with Client(host) as client:
        client.send(type="watch", on=True)
        # What changes while the state is read is told before the answer, and once. A new connection is such a change.
        while True:
            client.send(type="ask", n=1, query="state")
            if client.hear("reply", "changed")["type"] == "reply":
                break
            client.hear("reply")
        client.send(type="dispatch", n=7, action={"type": "navigate", "to": {"page": "settings"}})
        client.hear("changed")
        client.send(type="watch", on=False)
        client.send(type="ping")
        client.hear("pong")


def ping(host):
    with Client(host) as client:
        client.send(type="ping", unknown_member=[1, {"a": None}])
        expect(client.hear("pong") == {"type": "pong"}, "pong has no members, and unknown members are ignored")


def go_on(host):
    with Client(host) as first:
        first.look("rooms")
        first.dispatch("navigate", to={"page": "create"})
        frame = first.look("create")
        session, view = first.welcome["session"], first.welcome["view"]
    with Client(host, session=session, rev=frame["rev"], screens=frame["screens"]) as again:
        expect(again.welcome["session"] == session and again.welcome["view"] == view, "the view is the same")
        again.send(type="look", front=True)
        expect(again.dispatch("edit_create", name="again") is None, "it goes on where it was")


def one_connection(host):
    with Client(host) as first:
        with Client(host, session=first.welcome["session"]):
            first.end()  # The older connection ends, with or without a word.


def new_screens(host):
    with Client(host, screens=[{"page": "rooms"}, {"page": "settings"}]) as client:
        client.look("settings")


def refused(*lines, reason="bad_frame", hello=False):
    def check(host):
        for line in lines:
            with Client(host, hello=hello) as client:
                client.write(line)
                last = client.end()
                expect(last and last["type"] == "bye", f"{line[:40]} is answered by {last}")
                expect(last["reason"] == reason, f"{line[:40]} is refused as {last['reason']}")

    return check


def unreadable_action(host):
    with Client(host) as client:
        client.write(b'{"type":"dispatch","n":1,"action":{"type":"send_text","room":7}}')
        expect(client.hear("did")["code"] == "misfit", "an action that cannot be read is answered")


def too_long(host):
    with Client(host) as client:
        client.write(b'{"type":"ping","x":"' + b"A" * (2 << 20) + b'"}')
        last = client.end()
        expect(last is None or last["type"] != "pong", "a frame that is too long is not taken")


def flood(host):
    with Client(host) as client:
        client.write(b"\n".join([b'{"type":"ping"}'] * 3000))
        last = client.end()
        expect(last and (last["type"], last.get("reason")) == ("bye", "flood"), f"3000 frames at once: {last}")
        expect(last.get("retry_ms", 0) > 0, "it is worth coming again")


def too_many(host):
    clients = []
    try:
        for _ in range(32):
            client = Client(host, hello=False)
            client.send(type="hello", v=1)
            clients.append(client)
            frame = client.next()
            if frame["type"] == "bye":
                expect(frame["reason"] == "too_many" and frame.get("retry_ms", 0) > 0, f"the last one hears {frame}")
                return expect(len(clients) <= 16, f"{len(clients) - 1} clients were taken")
        raise Differs("32 clients were taken")
    finally:
        for client in clients:
            client.socket.close()


def stop(host):
    with Client(host) as one, Client(host) as other:
        expect(one.did(type="stop") is None, "stop is answered")
        last = other.end()
        expect(last and (last["type"], last.get("reason")) == ("bye", "ending"), f"the others hear {last}")
        expect("retry_ms" not in last, "it is not worth coming again")
    try:
        Client(host)
    except (OSError, Differs):
        return
    raise Differs("the socket is still there")


CHECKS = [
    ("hello, welcome", welcome),
    ("hello with options", options),
    ("hello with session and rev", go_on),
    ("hello with the session of a client that is there", one_connection),
    ("hello with screens", new_screens),
    ("look, tree, ack", tree),
    ("look away", cover),
    ("look with windows and seen", seen),
    ("patch", patch),
    ("no patch before ack", back_pressure),
    ("act", act),
    ("offers", offers),
    ("act: gone", act_gone),
    ("act: misfit", act_misfit),
    ("dispatch with fresh happens once", once),
    ("dispatch of events: misfit", events),
    ("secret", secret),
    ("secret: unknown_secret", unknown_secret),
    ("ask state", state),
    ("ask status", status),
    ("ask report", report),
    ("ask keys_left, seal_file, notice: gone", about_rooms),
    ("give, ask open_file: failed", failed),
    ("give: misfit", give),
    ("ask qr_code", qr_code),
    ("ask give_up", give_up),
    ("ask: unknown_query", unknown_query),
    ("ask: locked", locked),
    ("watch, changed", changed),
    ("documents", documents),
    ("ping, pong", ping),
    ("first frame: bad_frame", refused(b"x", b"{}", b"null", b'{"type":"ping"}', b'{"type":"hello"}')),
    ("later frame: bad_frame", refused(b"x", b'{"type":"nonsense"}', b'{"type":"hello","v":1}', b'{"type":"act","n":-1}', hello=True)),
    ("an action that cannot be read: misfit", unreadable_action),
    ("wrong_version", refused(b'{"type":"hello","v":99}', reason="wrong_version")),
    ("a frame of more than 2 MiB", too_long),
    ("flood", flood),
    ("too_many", too_many),
]

# What needs the profile to be open.
OPEN = {tree, offers, cover, patch, back_pressure, act, act_misfit, once, secret, report, about_rooms, failed, new_screens, go_on, documents}


def main(profile, *words):
    with Client(profile) as client:
        is_locked = client.welcome["locked"]
    checks = CHECKS + ([("stop, bye: ending", stop)] if "--stop" in words else [])
    differing = 0
    for name, check in checks:
        try:
            if is_locked and check in OPEN:
                raise Skipped("the profile is locked")
            check(profile)
            result = "ok"
        except Skipped as reason:
            result = f"skipped: {reason}"
        except (Differs, OSError, KeyError, TypeError, ValueError) as reason:
            differing += 1
            result = f"differs: {reason if isinstance(reason, Differs) else repr(reason)}"
        print(f"{name:50} {result}", flush=True)
    print(f"{len(checks)} checks, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
