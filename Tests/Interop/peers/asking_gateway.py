"""A gateway of jcode's protocol over a plain socket, whose agent has one tool that wants a password. It prints its port and, after each answer, how long
that was. Every device with any code is let in.
"""
import base64
import hashlib
import json
import socket
import struct
import threading

TOKEN = "5a" * 32


def head(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(1)
    lines = data.decode().split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return lines[0].split(" ")[:2], fields, data.decode()


def exactly(connection, count):
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def receive(connection):
    first, second = exactly(connection, 2)
    length = second & 127
    if length == 126:
        length, = struct.unpack(">H", exactly(connection, 2))
    elif length == 127:
        length, = struct.unpack(">Q", exactly(connection, 8))
    mask = exactly(connection, 4)
    data = bytes(byte ^ mask[place % 4] for place, byte in enumerate(exactly(connection, length)))
    if first & 15 == 8:
        raise EOFError
    return data if first & 15 == 1 else b""


def send(connection, **event):
    data = json.dumps(event).encode()
    head = bytes([129, len(data)]) if len(data) < 126 else bytes([129, 126]) + struct.pack(">H", len(data))
    connection.sendall(head + data)


def serve(connection):
    (method, path), fields, text = head(connection)
    if (method, path) == ("POST", "/pair"):
        exactly(connection, int(fields["content-length"]))
        body = json.dumps({"token": TOKEN, "server_name": "asking", "server_version": "1"}).encode()
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body) + body)
        return connection.close()
    key = next(line.split(": ")[1] for line in text.split("\r\n") if line.lower().startswith("sec-websocket-key"))
    accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
    connection.sendall(f"HTTP/1.1 101 x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: {accept}\r\n\r\n".encode())
    turn, messages = None, []
    while True:
        for line in receive(connection).splitlines():
            request = json.loads(line)
            kind, number = request["type"], request["id"]
            send(connection, type="ack", id=number)
            if kind == "subscribe":
                send(connection, type="session", session_id="s1")
            elif kind == "state":
                send(connection, type="state", id=number, session_id="s1", message_count=0, is_processing=False)
            elif kind == "get_history":
                send(connection, type="history", id=number, session_id="s1", messages=messages)
            elif kind == "message":
                turn = number
                messages.append({"role": "user", "content": request["content"]})
                send(connection, type="tool_start", id="t1", name="sudo true")
                send(connection, type="stdin_request", request_id="r1", prompt="[sudo] password for ada:", is_password=True, tool_call_id="t1")
            elif kind == "stdin_response":
                print(f"got {len(request['input'])}", flush=True)
                send(connection, type="tool_done", id="t1", name="sudo true", output="it may")
                send(connection, type="text_delta", text=f"It took {len(request['input'])} letters.")
                send(connection, type="done", id=turn)
            elif kind == "cancel":
                send(connection, type="interrupted")
                send(connection, type="done", id=turn)


def safely(connection):
    try:
        serve(connection)
    except (EOFError, OSError):
        connection.close()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=safely, args=[listener.accept()[0]], daemon=True).start()
