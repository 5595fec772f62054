"""Two libdatachannel peers in one process: the figures that Benchmarks/DataChannels.swift takes of ours, as JSON."""

import json
import os
import threading
import time

import pylibdatachannel as rtc


class Pair:
    def __init__(self, on_message):
        self.opened = threading.Event()
        self.started = time.perf_counter()
        self.a, self.b = rtc.PeerConnection(), rtc.PeerConnection()
        self.far = None
        for one, other in ((self.a, self.b), (self.b, self.a)):
            one.on_local_description(other.set_remote_description)
            one.on_local_candidate(other.add_remote_candidate)
        self.b.on_data_channel(lambda channel: self.take(channel, on_message))
        self.near = self.a.create_data_channel("x")
        self.near.on_open(self.open)
        if not self.opened.wait(20):
            raise SystemExit("no connection")

    def take(self, channel, on_message):
        self.far = channel
        channel.on_message(lambda message: on_message(self, message))

    def open(self):
        self.connect_ms = (time.perf_counter() - self.started) * 1000
        self.opened.set()

    def close(self):
        self.a.close()
        self.b.close()


def goodput(megabytes=64, size=65536):
    total, done, state = megabytes << 20, threading.Event(), {"got": 0}

    def on_message(_, message):
        if state["got"] == 0:
            state["start"] = time.perf_counter()
        state["got"] += len(message)
        if state["got"] >= total:
            state["end"] = time.perf_counter()
            done.set()

    pair = Pair(on_message)
    chunk = bytes(size)
    for _ in range(total // size):
        pair.near.send(chunk)
    done.wait(60)
    pair.close()
    return total * 8 / (state["end"] - state["start"]) / 1e6, pair.connect_ms


def round_trips(count=3000):
    done, times, state = threading.Event(), [], {}
    pair = Pair(lambda pair, message: pair.far.send(message))
    message = bytes(64)

    def ping():
        state["start"] = time.perf_counter()
        pair.near.send(message)

    def pong(_):
        times.append((time.perf_counter() - state["start"]) * 1e6)
        if len(times) == count:
            done.set()
        else:
            ping()

    pair.near.on_message(pong)
    ping()
    done.wait(60)
    pair.close()
    times.sort()
    return times[len(times) // 2], times[len(times) * 99 // 100]


speeds, connects = zip(*(goodput() for _ in range(3)))
p50, p99 = round_trips()
print(json.dumps({"goodput": list(speeds), "connect": list(connects), "p50": p50, "p99": p99}), flush=True)
# Its threads outlive the interpreter and would abort.
os._exit(0)
