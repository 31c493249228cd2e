"""An agent of LangGraph with the tool and the scripted provider of the bench."""

import os
from datetime import datetime, timezone

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


@tool
def current_time() -> str:
    """Tells the date and time."""
    return datetime.now(timezone.utc).isoformat()


model = ChatOpenAI(
    model="small",
    base_url=os.environ["BENCH_PROVIDER_URL"],
    api_key="bench",
    max_retries=0,
    streaming=True,
)
agent = create_react_agent(model, [current_time])
