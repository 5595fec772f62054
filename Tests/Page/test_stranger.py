"""When the host has ended, another program can take its port. A page that is open gives it nothing."""

import asyncio
import threading
import unittest
import urllib.parse

from aiohttp import WSMsgType, web

from scene import Scene, wait


class Stranger:
    """A program of somebody else at the address of the page. It claims to be the host."""

    def __init__(self, port: int) -> None:
        self.heard: list[str] = []
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        threading.Thread(target=self.serve, args=(port,), daemon=True).start()
        self.ready.wait()

    def serve(self, port: int) -> None:
        asyncio.set_event_loop(self.loop)
        app = web.Application()
        app.router.add_get("/socket", self.talk)
        self.runner = web.AppRunner(app, shutdown_timeout=0.1)
        self.loop.run_until_complete(self.runner.setup())
        for host in ("127.0.0.1", "::1"):
            self.loop.run_until_complete(web.TCPSite(self.runner, host, port, reuse_address=True).start())
        self.ready.set()
        self.loop.run_forever()

    async def talk(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str('{"type":"key","key":"00"}')
        await socket.send_str('{"type":"welcome","v":1,"view":"client1","session":"S","locked":false}')
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                self.heard.append(message.data)
                await socket.send_str('{"type":"proof","proof":"' + "00" * 32 + '"}')
        return socket

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self.runner.cleanup(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)


class StrangerTests(unittest.TestCase):
    def test_a_stranger_at_the_port_gets_nothing(self) -> None:
        scene = self.enterContext(Scene())
        ada, ben = scene.host("ada"), scene.host("ben")
        scene.meet(ada, ben, "Ben", "Ada")
        page = scene.page(ada)
        page.locator(".room").first.click()
        box = page.locator(".composer textarea")
        box.wait_for()
        port = urllib.parse.urlsplit(page.url).port
        ada.kill()
        page.get_by_text("Not connected").first.wait_for()
        box.fill("a secret")
        box.press("Enter")
        stranger = Stranger(port)
        self.addCleanup(stranger.stop)
        page.get_by_text("Another program answers at the address of Alcove").wait_for()
        wait(lambda: stranger.heard)
        self.assertEqual([text for text in stranger.heard if '"prove"' not in text], [])
        self.assertEqual(page.locator(".message.unsent", has_text="a secret").count(), 1)


if __name__ == "__main__":
    unittest.main()
