"""The agent's door: the verbs of the table as MCP tools, over stdio, a relay, or HTTP (PORTS.md). Holds no rule of any verb."""
