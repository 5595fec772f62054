"""An agent of the Agent Client Protocol by its reference library for Python. The prompt's first word says what it does:

say TEXT    says the text, word by word, and thinks before it
edit PATH   asks whether it may change a file, and says what it was told
wait        goes on until it is cancelled
work        shows a plan, a call of a tool and its end
where       says its folder and the names of its variables
tools       says which servers of tools it was offered
read PATH   says what is in a file
write PATH  writes a file
reach PORT  connects to a port of this machine
recall      says what it was asked in this session before, and how it works
look        says what pictures came along
obey NOTE   reads a note with the tools that it was offered, and does what stands there behind "RUN:", if it may
lose        says half of its answer and ends; when it goes on with the session, it tells the whole

With "sees" it takes pictures. With "locked FILE" it wants one to sign in first, and has been signed in with if there is the file. With "loads FILE" or "resumes FILE" it keeps its session in a file, goes on with it, and can be told how to work; with "loads" it also lists it, and another one.
"""
import asyncio
import base64
import json
import os
import re
import socket
import subprocess
import sys

import acp
from acp import helpers, schema

SEES = "sees" in sys.argv
WAY, FILE = sys.argv[1:3] if len(sys.argv) > 2 else (None, None)


class Agent:
    def __init__(self):
        self.cancelled = asyncio.Event()
        self.asked, self.mode, self.model = [], "ask", "small"

    def on_connect(self, client):
        self.client = client

    async def initialize(self, protocol_version, client_capabilities=None, client_info=None, **_):
        assert client_capabilities.fs.read_text_file is False and client_capabilities.terminal is False
        assert client_info.name == "alcove"
        capabilities = schema.AgentCapabilities(
            load_session=WAY == "loads", prompt_capabilities=schema.PromptCapabilities(image=SEES))
        if WAY == "loads":
            capabilities.session_capabilities = schema.SessionCapabilities(list=schema.SessionListCapabilities())
        if WAY == "resumes":
            capabilities.session_capabilities = schema.SessionCapabilities(resume=schema.SessionResumeCapabilities())
        methods = [schema.AuthMethodAgent(id="code", name="A code", description="Shows a code")] if WAY == "locked" else None
        return schema.InitializeResponse(protocol_version=protocol_version, agent_capabilities=capabilities, auth_methods=methods)

    async def authenticate(self, method_id, **_):
        if method_id != "code":
            raise acp.RequestError.invalid_params({"methodId": method_id})
        print("open https://sign-in.example/\x1b[2J", file=sys.stderr, flush=True)
        await asyncio.sleep(0.5)
        open(FILE, "w").close()
        return schema.AuthenticateResponse()

    async def new_session(self, cwd, mcp_servers=None, **_):
        if WAY == "locked" and not os.path.exists(FILE):
            raise acp.RequestError.auth_required()
        self.cwd, self.mcp_servers = cwd, mcp_servers
        return schema.NewSessionResponse(session_id="session ‹1›", **self.choices())

    async def list_sessions(self, cwd=None, cursor=None, **_):
        # Two pages.
        if cursor is None:
            other = schema.SessionInfo(session_id="other", cwd="/elsewhere", title="Another\x1b[2J", updated_at="2026-03-01T10:00:00Z")
            return schema.ListSessionsResponse(sessions=[other], next_cursor="more")
        assert cursor == "more"
        own = schema.SessionInfo(session_id="session ‹1›", cwd=os.getcwd(), updated_at="2026-03-02T10:00:00.5Z")
        return schema.ListSessionsResponse(sessions=[own] if os.path.exists(FILE) else [])

    def choices(self):
        if not WAY:
            return {}
        modes = [schema.SessionMode(id="ask", name="Ask"), schema.SessionMode(id="plan", name="Plan")]
        models = [schema.SessionConfigSelectOption(value=name, name=name.title()) for name in ["small", "large"]]
        return {
            "modes": schema.SessionModeState(current_mode_id=self.mode, available_modes=modes),
            "config_options": [schema.SessionConfigOptionSelect(
                id="which", name="Model", category="model", type="select", current_value=self.model, options=models)],
        }

    async def load_session(self, cwd, session_id, mcp_servers=None, **_):
        await self.take_up(cwd, session_id, mcp_servers)
        for kind, text in self.told():
            update = helpers.update_user_message_text if kind == "user" else helpers.update_agent_message_text
            await self.tell(session_id, update(text))
        for text in [] if self.told() else self.asked:
            await self.tell(session_id, helpers.update_user_message_text(text))
            await self.tell(session_id, helpers.update_agent_message_text("what it said"))
        return schema.LoadSessionResponse(**self.choices())

    def told(self):
        return json.load(open(FILE + ".told")) if os.path.exists(FILE + ".told") else []

    async def lose(self, session, _):
        await self.tell(session, helpers.update_agent_message_text("One, "))
        told = [[kind, text] for asked in self.asked[:-1] for kind, text in [("user", asked), ("agent", "what it said")]]
        json.dump(told + [["user", self.asked[-1]], ["agent", "One, two,"], ["agent", " three."]], open(FILE + ".told", "w"))
        await asyncio.sleep(0.2)
        os._exit(3)

    async def look(self, session, _):
        seen = [f"{block.mime_type} {len(base64.b64decode(block.data, validate=True))}" for block in self.pictures]
        await self.tell(session, helpers.update_agent_message_text(", ".join(seen) or "nothing"))

    async def resume_session(self, cwd, session_id, mcp_servers=None, **_):
        await self.take_up(cwd, session_id, mcp_servers)
        return schema.ResumeSessionResponse(**self.choices())

    async def take_up(self, cwd, session_id, mcp_servers):
        self.cwd, self.mcp_servers = cwd, mcp_servers
        if session_id != "session ‹1›" or not os.path.exists(FILE):
            raise acp.RequestError.invalid_params({"session": "is unknown"})
        self.asked = json.load(open(FILE))

    async def set_session_mode(self, mode_id, session_id, **_):
        self.mode = mode_id

    async def set_config_option(self, config_id, session_id, value, **_):
        assert config_id == "which"
        self.model = value
        return schema.SetSessionConfigOptionResponse(config_options=self.choices()["config_options"])

    async def recall(self, session, _):
        await self.tell(session, helpers.update_agent_message_text(" ".join([*self.asked[:-1], self.mode, self.model])))

    async def cancel(self, session_id, **_):
        self.cancelled.set()

    async def prompt(self, prompt, session_id, **_):
        self.cancelled.clear()
        self.pictures = prompt[1:]
        command, _, rest = prompt[0].text.partition(" ")
        if FILE:
            self.asked.append(prompt[0].text)
            json.dump(self.asked, open(FILE, "w"))
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

    async def edit(self, session, path):
        call = schema.ToolCallUpdate(
            tool_call_id="edit-1", title="Change a", kind="edit",
            content=[helpers.tool_diff_content(path or "/a", "new", "old")])
        options = [
            schema.PermissionOption(option_id="yes", name="Do it", kind="allow_once"),
            schema.PermissionOption(option_id="no", name="Leave it", kind="reject_once"),
        ]
        answer = await self.client.request_permission(session_id=session, tool_call=call, options=options)
        said = getattr(answer.outcome, "option_id", answer.outcome.outcome)
        await self.tell(session, helpers.update_agent_message_text(said))
        return "cancelled" if said == "cancelled" else None

    async def obey(self, session, note):
        # It takes as long to load as all the rest.
        import mcp
        from mcp.client.stdio import stdio_client

        server = self.mcp_servers[0]
        process = mcp.StdioServerParameters(
            command=server.command, args=server.args, env={variable.name: variable.value for variable in server.env})
        async with stdio_client(process) as streams, mcp.ClientSession(*streams) as tools:
            await tools.initialize()
            read = await tools.call_tool("read_note", {"note": note})
        # A model that takes what it reads for an order.
        order = re.search(r"RUN: ([\w /.-]+)", read.content[0].text.replace("\\", ""))[1]
        call = schema.ToolCallUpdate(tool_call_id="run-1", title=order, kind="execute", raw_input={"command": order})
        options = [
            schema.PermissionOption(option_id="yes", name="Do it", kind="allow_once"),
            schema.PermissionOption(option_id="no", name="Leave it", kind="reject_once"),
        ]
        answer = await self.client.request_permission(session_id=session, tool_call=call, options=options)
        said = getattr(answer.outcome, "option_id", answer.outcome.outcome)
        if said == "yes":
            subprocess.run(order, shell=True, check=True)
        await self.tell(session, helpers.update_agent_message_text(said))

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
asyncio.run(acp.run_agent(Agent(), use_unstable_protocol=True))
