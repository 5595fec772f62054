"""An aiortc peer that is driven by lines of JSON and echoes every message.

Lines in:   {"command": "offer"}, {"command": "answer", "sdp": …}, {"command": "accept", "sdp": …}
            {"command": "send", "kind": "text" | "binary", "size": bytes}
Lines out:  {"type": "offer" | "answer", "sdp": …}, {"type": "open" | "closed", "label": …}
"""

import asyncio
import json
import sys

from aiortc import RTCPeerConnection, RTCSessionDescription


current = None


def say(**line):
    print(json.dumps(line), flush=True)


def pattern(kind, size):
    """Bytes 0 to 250 over and over, or as many bytes of "ü"."""
    return "ü" * (size // 2) if kind == "text" else (bytes(range(251)) * (size // 251 + 1))[:size]


def echo(channel):
    global current
    current = channel

    @channel.on("message")
    def on_message(message):
        channel.send(message)

    @channel.on("close")
    def on_close():
        say(type="closed", label=channel.label)

    say(type="open", label=channel.label)


async def main():
    connection = RTCPeerConnection()

    @connection.on("datachannel")
    def on_datachannel(channel):
        echo(channel)

    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        if command["command"] == "offer":
            channel = connection.createDataChannel("from-the-other-side")
            channel.on("open", lambda: echo(channel))
            await connection.setLocalDescription(await connection.createOffer())
            say(type="offer", sdp=connection.localDescription.sdp)
        elif command["command"] == "answer":
            await connection.setRemoteDescription(RTCSessionDescription(command["sdp"], "offer"))
            await connection.setLocalDescription(await connection.createAnswer())
            say(type="answer", sdp=connection.localDescription.sdp)
        elif command["command"] == "accept":
            await connection.setRemoteDescription(RTCSessionDescription(command["sdp"], "answer"))
        elif command["command"] == "send":
            current.send(pattern(command["kind"], command["size"]))
    await connection.close()


asyncio.run(main())
