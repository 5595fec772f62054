"""An agent of the Agent Client Protocol by its reference library for Python. The prompt's first word says what it does:

say TEXT    says the text, word by word, and thinks before it
edit        asks whether it may change a file, and says what it was told
wait        goes on until it is cancelled
work        shows a plan, a call of a tool and its end
where       says its folder and the names of its variables
tools       says which servers of tools it was offered
read PATH   says what is in a file
write PATH  writes a file
reach PORT  connects to a port of this machine
"""
import asyncio
import os
import socket
import sys

import acp
from acp import helpers, schema


class Agent:
    def __init__(self):
        self.cancelled = asyncio.Event()

    def on_connect(self, client):
        self.client = client

    async def initialize(self, protocol_version, client_capabilities=None, client_info=None, **_):
        assert client_capabilities.fs.read_text_file is False and client_capabilities.terminal is False
        assert client_info.name == "alcove"
        return schema.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd, mcp_servers=None, **_):
        self.cwd, self.mcp_servers = cwd, mcp_servers
        return schema.NewSessionResponse(session_id="session ‹1›")

    async def cancel(self, session_id, **_):
        self.cancelled.set()

    async def prompt(self, prompt, session_id, **_):
        self.cancelled.clear()
        command, _, rest = prompt[0].text.partition(" ")
        stop = await getattr(self, command)(session_id, rest)
        return schema.PromptResponse(stop_reason=stop or "end_turn")

    async def tell(self, session, update):
        await self.client.session_update(session_id=session, update=update)

    async def say(self, session, text):
        await self.tell(session, helpers.update_agent_thought_text("hm"))
        for word in text.split():
            await self.tell(session, helpers.update_agent_message_text(word))

    async def where(self, session, _):
        await self.tell(session, helpers.update_agent_message_text("\n".join([os.getcwd(), self.cwd, *sorted(os.environ)])))

    async def tools(self, session, _):
        offered = [f"{server.name}: {' '.join(server.args)}" for server in self.mcp_servers]
        await self.tell(session, helpers.update_agent_message_text("\n".join(offered) or "none"))

    async def attempt(self, session, action):
        try:
            said = action()
        except OSError as error:
            said = type(error).__name__
        await self.tell(session, helpers.update_agent_message_text(said))

    async def read(self, session, path):
        await self.attempt(session, lambda: open(path).read())

    async def write(self, session, path):
        await self.attempt(session, lambda: f"{open(path, 'w').write('written')}")

    async def reach(self, session, port):
        await self.attempt(session, lambda: socket.create_connection(("127.0.0.1", int(port)), 5) and "reached")

    async def edit(self, session, _):
        call = schema.ToolCallUpdate(
            tool_call_id="edit-1", title="Change a", kind="edit",
            content=[helpers.tool_diff_content("/a", "new", "old")])
        options = [
            schema.PermissionOption(option_id="yes", name="Do it", kind="allow_once"),
            schema.PermissionOption(option_id="no", name="Leave it", kind="reject_once"),
        ]
        answer = await self.client.request_permission(session_id=session, tool_call=call, options=options)
        said = getattr(answer.outcome, "option_id", answer.outcome.outcome)
        await self.tell(session, helpers.update_agent_message_text(said))
        return "cancelled" if said == "cancelled" else None

    async def wait(self, session, _):
        await self.tell(session, helpers.update_agent_message_text("waiting"))
        await self.cancelled.wait()
        return "cancelled"

    async def work(self, session, _):
        await self.tell(session, helpers.update_plan([helpers.plan_entry("Read it", priority="high", status="in_progress")]))
        await self.tell(session, helpers.start_tool_call("read-1", "Read a", kind="read", status="pending", raw_input={"path": "/a"}))
        await self.tell(session, helpers.update_tool_call(
            "read-1", status="completed", content=[helpers.tool_content(helpers.text_block("what is in it"))]))


print("this is the log", file=sys.stderr, flush=True)
asyncio.run(acp.run_agent(Agent()))
