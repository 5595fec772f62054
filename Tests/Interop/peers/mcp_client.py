"""A client of the Model Context Protocol by its official library. The first argument is the version to ask for, the second one a JSON array of
steps, and the rest is the command of the server. A step is

{"list": true}                       the names of the tools
{"call": NAME, "arguments": {...}}   calls a tool
{"run": [WORD, ...]}                 runs a program to its end
{"changed": true}                    waits until the server says that the tools have changed

Each prints one line of JSON, after one that says what the server is.
"""
import asyncio
import json
import subprocess
import sys

import mcp
import mcp.client.session as session
from mcp.client.stdio import stdio_client
from mcp_types import Implementation, ToolListChangedNotification

version, steps, command = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
session.LATEST_HANDSHAKE_VERSION = version
changed = asyncio.Event()


def tell(**members):
    print(json.dumps(members, ensure_ascii=False, sort_keys=True), flush=True)


async def heard(message):
    if isinstance(message, ToolListChangedNotification):
        changed.set()


async def step(client, step):
    if "list" in step:
        tools = (await client.list_tools()).tools
        assert all(tool.input_schema["type"] == "object" and tool.description for tool in tools)
        return tell(tools=[tool.name for tool in tools])
    if "call" in step:
        result = await client.call_tool(step["call"], step.get("arguments", {}))
        return tell(error=bool(result.is_error), text="\n".join(item.text for item in result.content))
    if "run" in step:
        return tell(code=subprocess.run(step["run"], stdout=subprocess.DEVNULL).returncode)
    await asyncio.wait_for(changed.wait(), 60)
    changed.clear()
    tell(changed=True)


async def main():
    server = mcp.StdioServerParameters(command=command[0], args=command[1:])
    async with stdio_client(server) as (read, write):
        about = Implementation(name="official \x1b[2J client", version="1")
        async with mcp.ClientSession(read, write, client_info=about, message_handler=heard) as client:
            greeting = await client.initialize()
            await client.send_ping()
            tell(name=greeting.server_info.name, version=greeting.protocol_version, instructions=bool(greeting.instructions))
            for one in steps:
                await step(client, one)


asyncio.run(main())
