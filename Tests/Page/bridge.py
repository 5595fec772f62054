"""Serves the page and passes its frames to a host socket: bridge.py PORT PROFILE FOLDER [DELAY]

It protects nothing, so it is for tests alone. With a delay in seconds each frame takes that long, in both directions. POST /cuts?most=N has it
lose N frames of the host, and cut the connection with each: the next one of the connection that is there, the first one of that which follows, then
the second one, and so on. GET /cuts says of what kinds they were.
"""

import asyncio
import json
import sys
import tempfile
import urllib.parse

from aiohttp import WSMsgType, web

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; media-src 'self' blob:; "
    "manifest-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types ProseMirrorClipboard")


class Cuts:
    """When connections are cut."""

    def __init__(self) -> None:
        self.most = 0
        self.lost: list[str] = []

    def cut(self, count: int, line: bytes) -> bool:
        """Whether a connection ends with this frame, the so manieth from the host."""
        if len(self.lost) == self.most or count < len(self.lost):
            return False
        self.lost.append(json.loads(line)["type"])
        return True


async def talk(request: web.Request) -> web.WebSocketResponse:
    profile, delay, cuts = (request.app[name] for name in ("profile", "delay", "cuts"))
    page = web.WebSocketResponse(max_msg_size=0)
    await page.prepare(request)
    lines, host = await asyncio.open_unix_connection(f"{profile}/host.sock", limit=1 << 26)
    later: asyncio.Queue = asyncio.Queue()

    async def deliver() -> None:
        """In order, each so long after it came as the delay says."""
        while True:
            due, send = await later.get()
            await asyncio.sleep(max(0, due - asyncio.get_running_loop().time()))
            await send()

    async def hear() -> None:
        count = 0
        while line := await lines.readline():
            count += 1
            if cuts.cut(count, line):
                break
            put(lambda text=line.decode().rstrip("\n"): page.send_str(text))
        put(page.close)

    async def tell(text: str) -> None:
        host.write(text.encode() + b"\n")
        await host.drain()

    def put(send) -> None:
        later.put_nowait((asyncio.get_running_loop().time() + delay, send))

    tasks = [asyncio.create_task(deliver()), asyncio.create_task(hear())]
    try:
        async for message in page:
            if message.type == WSMsgType.TEXT:
                put(lambda text=message.data: tell(text))
    finally:
        for task in tasks:
            task.cancel()
        host.close()
    return page


async def begin(request: web.Request) -> web.Response:
    """A file in the profile, by its name: the host takes this program for one of the person's own."""
    with tempfile.NamedTemporaryFile(dir=request.app["profile"], delete=False) as file:
        return web.Response(status=201, headers={"Location": "/files/" + urllib.parse.quote(file.name, safe="")})


async def take(request: web.Request) -> web.Response:
    with open(request.match_info["name"], "wb") as file:
        async for part in request.content.iter_chunked(1 << 16):
            file.write(part)
    return web.Response(status=201)


async def cut(request: web.Request) -> web.Response:
    request.app["cuts"].most = int(request.query["most"])
    return web.Response()


async def told(request: web.Request) -> web.Response:
    return web.json_response(request.app["cuts"].lost)


async def index(request: web.Request) -> web.FileResponse:
    return web.FileResponse(f"{request.app['folder']}/index.html", headers={"Content-Security-Policy": POLICY})


def main(port: str, profile: str, folder: str, delay: str = "0") -> None:
    app = web.Application()
    app["profile"], app["folder"], app["delay"], app["cuts"] = profile, folder, float(delay), Cuts()
    app.router.add_get("/socket", talk)
    app.router.add_get("/", index)
    app.router.add_post("/cuts", cut)
    app.router.add_get("/cuts", told)
    app.router.add_post("/files", begin)
    app.router.add_patch("/files/{name}", take)
    app.router.add_static("/", folder)
    web.run_app(app, host="127.0.0.1", port=int(port), print=None, shutdown_timeout=0.1)


main(*sys.argv[1:])
