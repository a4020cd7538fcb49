// The newer TypeScript client (2.x) on `m1nd mcp`: what it sees, as one JSON object on stdout.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "ts-2", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, cwd: process.cwd() }));
const progress = [];
const seen = {
  server: client.getServerVersion().name,
  instructions: client.getInstructions().slice(0, 18),
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  resources: (await client.listResources()).resources.map((resource) => resource.uri),
  prompts: (await client.listPrompts()).prompts.map((prompt) => prompt.name),
  good: await client.callTool({ name: "ingest", arguments: {} }, undefined, { onprogress: (p) => progress.push(p.progress) }),
  wrong: await client.callTool({ name: "search", arguments: { quary: "x" } }),
  log: JSON.parse((await client.readResource({ uri: "m1nd://log?after=0" })).contents[0].text).ok,
  unknown: await client.callTool({ name: "nothing", arguments: {} }).then(() => 0, (error) => error.code),
};
await client.close();
console.log(JSON.stringify(seen));
