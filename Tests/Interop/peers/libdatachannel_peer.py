"""A libdatachannel peer that is driven by lines of JSON and echoes every message.

The lines are those of aiortc_peer.py, {"command"/"type": "candidate", "line": …} in both directions, and
            {"command": "open" | "close", "label": …}
"""

import json
import os
import sys
import threading

import pylibdatachannel as rtc

lock, channels, current, is_described = threading.Lock(), {}, None, False


def say(**line):
    with lock:
        print(json.dumps(line), flush=True)


def pattern(kind, size):
    """Bytes 0 to 250 over and over, or as many bytes of "ü"."""
    return "ü" * (size // 2) if kind == "text" else (bytes(range(251)) * (size // 251 + 1))[:size]


def echo(channel):
    global current
    current = channels[channel.label] = channel
    channel.on_message(lambda message: channel.send(message if isinstance(message, str) else bytes(message)))
    channel.on_closed(lambda: say(type="closed", label=channel.label))
    channel.on_open(lambda: say(type="open", label=channel.label))


def kind(description):
    return "offer" if description.type == rtc.DescriptionType.OFFER else "answer"


connection = rtc.PeerConnection()
connection.on_data_channel(echo)
connection.on_local_description(lambda description: say(type=kind(description), sdp=str(description)))
connection.on_local_candidate(lambda candidate: say(type="candidate", line=candidate.candidate))
for text in sys.stdin:
    line = json.loads(text)
    try:
        match line["command"]:
            # The first channel makes an offer, too.
            case "offer":
                if is_described:
                    connection.set_local_description(rtc.DescriptionType.OFFER)
                else:
                    echo(connection.create_data_channel("from-the-other-side"))
            case "answer":
                connection.set_remote_description(rtc.Description(line["sdp"], rtc.DescriptionType.OFFER))
                is_described = True
            case "accept":
                connection.set_remote_description(rtc.Description(line["sdp"], rtc.DescriptionType.ANSWER))
                is_described = True
            case "candidate":
                # Before there is a description it has the candidate.
                if line.get("line") and is_described:
                    connection.add_remote_candidate(rtc.Candidate(line["line"], "0"))
            case "open":
                echo(connection.create_data_channel(line["label"]))
            case "close":
                channels[line["label"]].close()
            case "send":
                current.send(pattern(line["kind"], line["size"]))
    except (RuntimeError, ValueError) as error:
        say(type="error", message=str(error))
# Its threads outlive the interpreter and would abort.
os._exit(0)
