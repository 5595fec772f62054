"""Serves the page and passes its frames to a host socket: bridge.py PORT PROFILE FOLDER [DELAY]

It protects nothing, so it is for tests alone. With a delay in seconds each frame takes that long, in both directions.
"""

import asyncio
import sys
import tempfile
import urllib.parse

from aiohttp import WSMsgType, web

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; font-src 'self'; media-src 'self' blob:; "
    "manifest-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types ProseMirrorClipboard")


async def talk(request: web.Request) -> web.WebSocketResponse:
    profile, delay = request.app["profile"], request.app["delay"]
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
        while line := await lines.readline():
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


async def index(request: web.Request) -> web.FileResponse:
    return web.FileResponse(f"{request.app['folder']}/index.html", headers={"Content-Security-Policy": POLICY})


def main(port: str, profile: str, folder: str, delay: str = "0") -> None:
    app = web.Application()
    app["profile"], app["folder"], app["delay"] = profile, folder, float(delay)
    app.router.add_get("/socket", talk)
    app.router.add_get("/", index)
    app.router.add_post("/files", begin)
    app.router.add_patch("/files/{name}", take)
    app.router.add_static("/", folder)
    web.run_app(app, host="127.0.0.1", port=int(port), print=None, shutdown_timeout=0.1)


main(*sys.argv[1:])
