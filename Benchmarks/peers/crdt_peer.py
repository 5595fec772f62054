"""The editing workload of crdt_peer.js on pycrdt: prints its figures as JSON."""
import json
import time

from pycrdt import Doc, Text


def trace():
    seed, inserts, deletes, length, cursor, burst, deleting = 1, 182315, 77463, 0, 0, 0, False

    def below(bound):
        nonlocal seed
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
        return seed // 256 % bound

    while inserts + deletes > 0:
        if burst == 0:
            if below(10) == 0:
                cursor = below(length + 1)
            deleting = not deleting
            burst = below(18 if deleting else 42)
        else:
            burst -= 1
        if deleting and cursor > 0 and deletes > 0 or inserts == 0:
            cursor = (cursor or length) - 1
            yield cursor, None
            length -= 1
            deletes -= 1
        else:
            yield cursor, chr(97 + below(26))
            cursor += 1
            length += 1
            inserts -= 1


def timed(work):
    start = time.perf_counter()
    return work(), (time.perf_counter() - start) * 1000


document = Doc()
document["t"] = text = Text()
sizes = []
document.observe(lambda event: sizes.append(len(event.update)))


def edit():
    for place, character in trace():
        if character is None:
            del text[place]
        else:
            text.insert(place, character)


_, edits = timed(edit)
state, encode = timed(document.get_update)
_, parse = timed(lambda: Doc().apply_update(state))
print(json.dumps({"edits": edits, "encode": encode, "parse": parse, "bytes": sum(sizes), "size": len(state)}))
