"""Two aiortc peers in one process: the figures that Benchmarks/DataChannels.swift takes of ours, as JSON."""

import asyncio
import json
import time

from aiortc import RTCPeerConnection


async def pair(on_message):
    a, b = RTCPeerConnection(), RTCPeerConnection()
    opened = asyncio.Event()
    started = time.perf_counter()
    near = a.createDataChannel("x")
    near.on("open", opened.set)
    b.on("datachannel", lambda channel: channel.on("message", lambda message: on_message(channel, message)))
    await a.setLocalDescription(await a.createOffer())
    await b.setRemoteDescription(a.localDescription)
    await b.setLocalDescription(await b.createAnswer())
    await a.setRemoteDescription(b.localDescription)
    await asyncio.wait_for(opened.wait(), 20)
    return a, b, near, (time.perf_counter() - started) * 1000


async def goodput(megabytes=16, size=65536):
    total, done, state = megabytes << 20, asyncio.Event(), {"got": 0}

    def on_message(_, message):
        if state["got"] == 0:
            state["start"] = time.perf_counter()
        state["got"] += len(message)
        if state["got"] >= total:
            state["end"] = time.perf_counter()
            done.set()

    a, b, near, connect = await pair(on_message)
    for _ in range(total // size):
        near.send(bytes(size))
    await asyncio.wait_for(done.wait(), 60)
    await asyncio.gather(a.close(), b.close())
    return total * 8 / (state["end"] - state["start"]) / 1e6, connect


async def round_trips(count=2000):
    done, times, state = asyncio.Event(), [], {}
    a, b, near, _ = await pair(lambda channel, message: channel.send(message))

    def ping():
        state["start"] = time.perf_counter()
        near.send(bytes(64))

    def pong(_):
        times.append((time.perf_counter() - state["start"]) * 1e6)
        done.set() if len(times) == count else ping()

    near.on("message", pong)
    ping()
    await asyncio.wait_for(done.wait(), 60)
    await asyncio.gather(a.close(), b.close())
    times.sort()
    return times[len(times) // 2], times[len(times) * 99 // 100]


async def main():
    results = [await goodput() for _ in range(2)]
    p50, p99 = await round_trips()
    speeds, connects = zip(*results)
    print(json.dumps({"goodput": speeds, "connect": connects, "p50": p50, "p99": p99}))


asyncio.run(main())
