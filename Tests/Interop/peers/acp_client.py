"""A client of the Agent Client Protocol by its reference library for Python, as an editor is one. The first argument is the folder that it has open,
the second one a JSON array of steps, and the rest is the command of the agent. A step is

{"new": [NAME, ...]}        begins a session, with servers of tools of these names
{"load": true|ID}           goes on with the session of before, or this one, and has it told; with "answer", what is asked is answered so
{"resume": true|ID}         the same, untold
{"list": true}              the sessions of the folder
{"close": true}, {"delete": true}
{"choose": ID, "value": V}  chooses an option
{"mode": ID}                chooses a mode
{"prompt": TEXT}            asks. With "answer", what is asked is answered so ("cancelled" too); without, nobody answers. With "cancel", the turn is
                            cancelled when something was said or asked. With "image" or "resource", that goes along.
{"run": [WORD, ...]}        runs a program to its end
{"wait": KIND}              waits until a message of this kind has come that was not waited for: an update, a method

Each prints one line of JSON. Every message that comes is checked against the schema of the library.
"""
import asyncio
import base64
import json
import os
import subprocess
import sys
import traceback

import acp
from acp import helpers, schema

folder, steps, command = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
heard, news = [], asyncio.Event()


def tell(**members):
    print(json.dumps(members, ensure_ascii=False, sort_keys=True), flush=True)


def kind(message):
    method = message.get("method")
    return message["params"]["update"]["sessionUpdate"] if method == "session/update" else method or "answer"


def observe(event):
    try:
        if event.direction.value == "incoming":
            hear(event.message)
    except Exception:
        # The library would only write it into its log.
        traceback.print_exc()
        os._exit(3)


def hear(message):
    assert message["jsonrpc"] == "2.0"
    if message.get("method") == "session/update":
        update = schema.SessionNotification.model_validate(message["params"]).update
        assert update.session_update == message["params"]["update"]["sessionUpdate"]
    elif message.get("method") == "session/request_permission":
        schema.RequestPermissionRequest.model_validate(message["params"])
    else:
        assert message.get("method") in (None, "$/cancel_request"), message
    heard.append(message)
    news.set()


async def until(condition):
    while not condition():
        news.clear()
        await asyncio.wait_for(news.wait(), 120)


class Editor:
    def __init__(self):
        self.answer, self.asked = None, []

    async def session_update(self, session_id, update, **_):
        pass

    async def request_permission(self, session_id, tool_call, options, **_):
        self.asked.append({
            "title": tool_call.title, "options": [option.option_id for option in options],
            "changes": [[part.path, part.old_text, part.new_text] for part in tool_call.content if part.type == "diff"]})
        news.set()
        if self.answer is None:
            await asyncio.Event().wait()
        outcome = {"outcome": "cancelled"} if self.answer == "cancelled" else {"outcome": "selected", "optionId": self.answer}
        return schema.RequestPermissionResponse.model_validate({"outcome": outcome})


def texts(messages, name):
    return "".join(
        message["params"]["update"]["content"]["text"] for message in messages if kind(message) == name)


def calls(messages):
    known = {}
    for message in messages:
        if kind(message) in ("tool_call", "tool_call_update"):
            update = message["params"]["update"]
            assert (kind(message) == "tool_call") == (update["toolCallId"] not in known), "a call begins once"
            known.setdefault(update["toolCallId"], {}).update(update)
    return [[call["title"], call.get("status")] for call in known.values()]


class Session:
    def __init__(self, connection, editor):
        self.connection, self.editor, self.id, self.waited = connection, editor, None, 0

    def opened(self, answer, start):
        told = heard[start:]
        tell(
            modes=answer.modes and answer.modes.current_mode_id,
            options={option.id: option.current_value for option in answer.config_options or []},
            asked=texts(told, "user_message_chunk"), said=texts(told, "agent_message_chunk"), calls=calls(told))

    async def go_on(self, way, which, answer=None):
        self.editor.answer = answer
        self.id, start = self.id if which is True else which, len(heard)
        self.opened(await way(cwd=folder, session_id=self.id, mcp_servers=[]), start)

    async def prompt(self, step):
        self.editor.answer, self.editor.asked, start = step.get("answer"), [], len(heard)
        blocks = [helpers.text_block(step["prompt"])]
        if "image" in step:
            data = base64.b64encode(open(step["image"], "rb").read()).decode()
            blocks.append(helpers.image_block(data, "image/png"))
        if "resource" in step:
            blocks.append(helpers.resource_block(helpers.embedded_text_resource(*step["resource"])))
        turn = asyncio.ensure_future(self.connection.prompt(session_id=self.id, prompt=blocks))
        if step.get("cancel"):
            await until(lambda: self.editor.asked or texts(heard[start:], "agent_message_chunk"))
            await self.connection.cancel(session_id=self.id)
        if "run" in step:
            await until(lambda: self.editor.asked)
            await asyncio.to_thread(subprocess.run, step["run"], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        try:
            stop = (await turn).stop_reason
        except acp.RequestError as error:
            stop = f"{error.code} {error}"
        told = heard[start:]
        plan = [message["params"]["update"]["entries"] for message in told if kind(message) == "plan"]
        tell(
            stop=stop, said=texts(told, "agent_message_chunk"), thought=texts(told, "agent_thought_chunk"),
            echo=texts(told, "user_message_chunk"), calls=calls(told), asked=self.editor.asked,
            plan=[entry["content"] for entry in plan[-1]] if plan else [],
            withdrawn=sum(kind(message) == "$/cancel_request" for message in told))

    async def step(self, step):
        way = self.connection
        match list(step)[0]:
            case "new":
                servers = [schema.McpServerStdio(name=name, command="/bin/true", args=[], env=[]) for name in step["new"]]
                answer, start = await way.new_session(cwd=folder, mcp_servers=servers), len(heard)
                self.id = answer.session_id
                self.opened(answer, start)
            case "load": await self.go_on(way.load_session, step["load"], step.get("answer"))
            case "resume": await self.go_on(way.resume_session, step["resume"])
            case "list":
                sessions = (await way.list_sessions(cwd=folder)).sessions
                assert all(session.cwd == folder and session.updated_at for session in sessions)
                tell(titles=[session.title for session in sessions], same=[session.session_id == self.id for session in sessions])
            case "close":
                await way.close_session(session_id=self.id)
                tell(closed=True)
            case "delete":
                await way._conn.send_request("session/delete", {"sessionId": self.id})
                tell(deleted=True)
            case "choose":
                answer = await way.set_config_option(config_id=step["choose"], session_id=self.id, value=step["value"])
                tell(options={option.id: option.current_value for option in answer.config_options})
            case "mode":
                await way.set_session_mode(mode_id=step["mode"], session_id=self.id)
                tell(mode=step["mode"])
            case "prompt": await self.prompt(step)
            case "run": tell(code=subprocess.run(step["run"], stdout=subprocess.DEVNULL).returncode)
            case "wait":
                await until(lambda: any(kind(message) == step["wait"] for message in heard[self.waited:]))
                place = next(place for place in range(self.waited, len(heard)) if kind(heard[place]) == step["wait"])
                self.waited = place + 1
                update = heard[place]["params"].get("update", {})
                tell(came=step["wait"], text=update.get("content", {}).get("text"), mode=update.get("currentModeId"))


async def main():
    editor = Editor()
    limits = {"limit": 50 << 20}
    async with acp.spawn_agent_process(
        lambda _: editor, *command, transport_kwargs=limits, observers=[observe], use_unstable_protocol=True,
    ) as (connection, process):
        about = schema.Implementation(name="official \x1b[2J client", version="1")
        greeting = await connection.initialize(protocol_version=7, client_info=about)
        can = greeting.agent_capabilities
        assert greeting.protocol_version == 1 and not greeting.auth_methods and can.load_session
        tell(name=greeting.agent_info.name, images=can.prompt_capabilities.image)
        session = Session(connection, editor)
        for step in steps:
            try:
                await session.step(step)
            except acp.RequestError as error:
                tell(error=f"{error.code} {error}")


asyncio.run(main())
