"""A host in Python: it makes a room, plays the server that answers, and keeps the screen up to date with what is different.

    python3 room.py path/to/libalcove_core.so

Only the standard library is needed. Unlike the example in C this one is a real host: it gives every input the time and
fresh random bytes, and saves records before it looks at effects.
"""
import ctypes
import json
import secrets
import sys
import time
from ctypes import POINTER, c_char, c_char_p, c_uint32, c_uint64, c_void_p


class Refused(Exception):
    """The core said no."""


class Core:
    def __init__(self, library, config=None):
        self.library = ctypes.CDLL(library)
        # Strings come back as pointers, not as bytes: they have to be given back.
        for name, arguments in {"dispatch": [c_char_p], "platform_event": [c_char_p], "state": [], "tree": [],
                                "logs": [c_uint32], "drain_effects": [], "last_error": []}.items():
            function = getattr(self.library, "alcove_core_" + name)
            function.argtypes, function.restype = [c_void_p, *arguments], POINTER(c_char)
        self.library.alcove_core_new.argtypes, self.library.alcove_core_new.restype = [c_char_p], c_void_p
        self.library.alcove_core_catalogue.argtypes = [c_char_p]
        self.library.alcove_core_catalogue.restype = POINTER(c_char)
        self.library.alcove_core_changes.argtypes = [c_void_p, c_char_p, c_uint64]
        self.library.alcove_core_changes.restype = POINTER(c_char)
        self.library.alcove_core_free.argtypes = [c_void_p]
        self.library.alcove_core_free.restype = None
        self.library.alcove_core_string_free.argtypes = [POINTER(c_char)]
        self.library.alcove_core_string_free.restype = None
        self.records = {}
        self.core = self.library.alcove_core_new(None if config is None else json.dumps(config).encode())
        if not self.core:
            raise Refused(self.call("last_error"))

    def call(self, name, *arguments):
        return self.read(getattr(self.library, "alcove_core_" + name)(self.core, *arguments))

    def sentences(self, language):
        """What stands for the keys in trees."""
        return self.read(self.library.alcove_core_catalogue(language.encode()))["sentences"]

    def read(self, text):
        if not text:
            raise MemoryError
        answer = json.loads(ctypes.cast(text, c_char_p).value)
        self.library.alcove_core_string_free(text)
        if not answer["ok"]:
            raise Refused(answer["error"])
        return answer["result"]

    def dispatch(self, action):
        """Lets something happen, saves what changed, and returns the work that is to be done."""
        happened = {"at": int(time.time() * 1000), "fresh": secrets.token_hex(32), "action": action}
        for record in self.call("dispatch", json.dumps(happened).encode())["records"]:
            if record["json"] is None:
                self.records.pop(record["key"], None)
            else:
                self.records[record["key"]] = record["json"]
        return self.call("drain_effects")

    def close(self):
        self.library.alcove_core_free(self.core)


class Shown:
    """What one view shows, brought up to date by what is different (docs/core.md, "The tree")."""

    def __init__(self, core, view="main"):
        self.core, self.view, self.revision, self.root = core, view, 0, None

    def refresh(self):
        """Returns how many bytes it took."""
        change = self.core.call("changes", self.view.encode(), self.revision)
        self.revision = change["rev"]
        if "root" in change:
            self.root = change["root"]
        for id in change.get("removed", []):
            self.take(id)
        moved = {step["id"]: self.take(step["id"]) for step in change.get("placed", []) if "node" not in step}
        for step in change.get("placed", []):
            node = step.get("node") or moved[step["id"]]
            self.find(step["parent"]).setdefault("children", []).insert(step["place"], node)
        for update in change.get("updated", []):
            node = self.find(update["id"])
            if "append" in update:
                node["value"]["text"] += update["append"]["text"]
            for name, value in update["fields"].items():
                if value is None:
                    node.pop(name, None)
                else:
                    node[name] = value
        return len(json.dumps(change))

    def take(self, id):
        """Takes a node out of its parent."""
        for node in nodes(self.root):
            for child in node.get("children", []):
                if child["id"] == id:
                    node["children"].remove(child)
                    return child

    def find(self, id):
        return next(node for node in nodes(self.root) if node["id"] == id)


def nodes(node):
    yield node
    for child in node.get("children", []):
        yield from nodes(child)


def main(library):
    core = Core(library)
    core.dispatch({"type": "started", "locked": False, "records": []})
    core.dispatch({"type": "became_active"})
    shown = Shown(core)
    shown.refresh()
    effects = core.dispatch({"type": "create_room", "name": "Ann", "expires_in": 300})
    request = next(effect for effect in effects if effect["type"] == "create_room")
    print(f"the core asks for a room; the effect is number {request['id']}")

    expires = int(time.time() * 1000) + 300_000
    core.dispatch({"type": "room_created", "effect": request["id"], "code": "482913", "expires_at": expires})
    shown.refresh()
    code = shown.find("chat.code")
    assert code["value"]["text"] == "482913", "the code on the screen is another one"
    label = core.sentences("en")[code["label"]]
    print(f"the screen says: {label} {code['value']['text']}")
    core.dispatch({"type": "reachability_changed", "online": False})
    print(f"without a network, {shown.refresh()} bytes are different of {len(json.dumps(shown.root))}")
    assert shown.root == core.call("tree"), "the screen was not brought up to date"
    print(f"saved: {', '.join(sorted(key.split('/')[0] for key in core.records))}")

    try:
        core.dispatch({"type": "fly"})
        raise AssertionError("the core accepted nonsense")
    except Refused as error:
        print(f"refused: {error}")
    core.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
