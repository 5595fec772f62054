"""One end of a path with libdatachannel, for Benchmarks/Paths: `send` or `receive`, seconds, and for a sender how many bytes there are.

Lines of JSON: signals to and from the other end, samples of what has arrived, and the end.
"""

import json
import os
import sys
import threading
import time

import pylibdatachannel as rtc

role, seconds, total = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
lock = threading.Lock()


def say(**line):
    with lock:
        print(json.dumps(line), flush=True)


class Meter:
    def __init__(self):
        self.first = None
        self.bytes = 0
        self.next = 0.0
        self.over = threading.Event()

    def arrived(self, message):
        now = time.monotonic()
        if self.first is None:
            self.first = now
        self.bytes += len(message)
        elapsed = now - self.first
        if now >= self.next or elapsed >= seconds:
            self.next = now + (0.005 if elapsed < 2 else 0.1)
            say(kind="sample", at=elapsed, bytes=self.bytes)
        if elapsed >= seconds:
            self.over.set()


def signals(connection):
    for text in sys.stdin:
        line = json.loads(text)
        if line.get("type") in ("offer", "answer"):
            kind = rtc.DescriptionType.OFFER if line["type"] == "offer" else rtc.DescriptionType.ANSWER
            connection.set_remote_description(rtc.Description(line["sdp"], kind))
        elif line.get("type") == "candidate":
            connection.add_remote_candidate(rtc.Candidate(line["line"], line["mid"] if "mid" in line else "0"))
    os._exit(0)


connection = rtc.PeerConnection()
connection.on_local_description(
    lambda description: say(
        kind="signal", type="offer" if description.type == rtc.DescriptionType.OFFER else "answer", sdp=str(description)))
connection.on_local_candidate(lambda candidate: say(kind="signal", type="candidate", line=candidate.candidate))
threading.Thread(target=signals, args=(connection,), daemon=True).start()

if role == "receive":
    meter, kept = Meter(), []

    def opened(channel):
        kept.append(channel)
        channel.on_message(meter.arrived)

    connection.on_data_channel(opened)
    meter.over.wait(seconds * 3 + 30)
    say(kind="done")
else:
    channel = connection.create_data_channel("bulk")
    ready = threading.Event()
    channel.on_open(ready.set)
    if ready.wait(20):
        block = bytes(65536)
        for _ in range(total // len(block)):
            channel.send(block)
threading.Event().wait(seconds * 3 + 30)
os._exit(0)
