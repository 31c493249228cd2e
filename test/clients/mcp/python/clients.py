"""Runs a pathway in which a person decides to its end, with the MCP clients of the Python packages mcp and fastmcp.

Usage: clients.py <URL of the MCP server> <API key>. Prints a JSON object: the outcome by client and way.
"""

import asyncio
import json
import sys
from typing import Any, Literal

import httpx2
from fastmcp import Client as FastMcpClient
from mcp import Client
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ElicitResult, Request, RequestParams, Result
from pydantic import ConfigDict

URL, KEY = sys.argv[1:]
TIMEOUT_SECONDS = 60
CALL = {"pathway": "pay"}
DECISION = {"decision": "approve", "comment": "by Python"}


class TaskParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    taskId: str


class TaskRequest(Request[TaskParams, str]):
    name_param = "taskId"


class AnyResult(Result):
    model_config = ConfigDict(extra="allow")


class CreatedTask(AnyResult):
    result_type: Literal["task"]


class Tasks(ClientExtension):
    """Follows a run as a task, and answers what it asks."""

    identifier = "io.modelcontextprotocol/tasks"

    def claims(self):
        return [ResultClaim(result_type="task", model=CreatedTask, resolve=follow_task)]


async def send(context: ClaimContext, method: str, **params: Any) -> dict[str, Any]:
    request = TaskRequest(method=method, params=TaskParams(**params))
    return (await context.session.send_request(request, AnyResult)).model_dump(by_alias=True)


async def follow_task(created: CreatedTask, context: ClaimContext) -> CallToolResult:
    task_id = created.model_dump()["taskId"]
    while True:
        task = await send(context, "tasks/get", taskId=task_id)
        if task["status"] == "input_required":
            answers = {key: {"action": "accept", "content": DECISION} for key in task["inputRequests"]}
            await send(context, "tasks/update", taskId=task_id, inputResponses=answers)
        elif task["status"] != "working":
            return CallToolResult.model_validate(task["result"])
        await asyncio.sleep(0.2)


def connect(http: httpx2.AsyncClient, **options: Any) -> Client:
    return Client(streamable_http_client(URL, http_client=http), **options)


async def decide(_context: Any, params: Any) -> ElicitResult:
    assert "Pay 12 EUR?" in params.message, params
    return ElicitResult(action="accept", content=DECISION)


async def decide_in_fastmcp(message: str, _type: Any, _params: Any, _context: Any) -> dict[str, str]:
    assert "Pay 12 EUR?" in message, message
    return DECISION


async def run_by_tools(client: Client | FastMcpClient) -> Any:
    """What a client does that can neither follow tasks nor ask its user."""
    run = read(await client.call_tool("run_pathway", CALL))
    while run["status"] != "completed":
        for question in run.get("questions", []):
            answer = {"question_id": question["question_id"], "action": "approve", "comment": DECISION["comment"]}
            await client.call_tool("answer_question", answer)
        run = read(await client.call_tool("wait_for_run", {"job_id": run["job_id"]}))
    return run


def read(result: Any) -> Any:
    """Returns the structured content of a result. The two packages name it differently."""
    content = getattr(result, "structured_content", None)
    assert content, result
    return content


async def main() -> None:
    outcomes = {}
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, timeout=TIMEOUT_SECONDS) as http:
        async with connect(http, extensions=[Tasks()], elicitation_callback=decide) as client:
            outcomes["mcp, as a task"] = read(await client.call_tool("run_pathway", CALL))
        async with connect(http, elicitation_callback=decide) as client:
            outcomes["mcp, by elicitation"] = read(await client.call_tool("run_pathway", CALL))
        async with connect(http) as client:
            outcomes["mcp, by tools"] = await run_by_tools(client)
        async with connect(http, mode="legacy") as client:
            outcomes["mcp of 2025-11-25, by tools"] = await run_by_tools(client)
    async with FastMcpClient(URL, auth=KEY, elicitation_handler=decide_in_fastmcp) as client:
        outcomes["fastmcp, by elicitation"] = read(await client.call_tool("run_pathway", CALL))
    async with FastMcpClient(URL, auth=KEY) as client:
        outcomes["fastmcp, by tools"] = await run_by_tools(client)
    print(json.dumps(outcomes))


asyncio.run(asyncio.wait_for(main(), TIMEOUT_SECONDS * 2))
