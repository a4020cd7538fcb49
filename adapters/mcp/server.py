"""The protocol's side of the door: one low-level server per client, both eras, over whatever stream it is given.

Every answer of a tool is complete in each of its two channels, errors too: some hosts show the model only one (PORTS.md).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import mcp_types as types
from attrs import define, field
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from m1nd import __version__
from m1nd.adapters.mcp import resources, teaching
from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.service import Service
from m1nd.adapters.mcp.tools import listed, tool_verbs

Context = ServerRequestContext[Any, Any]
ClientOf = Callable[[Context], Client]

HINTS: dict[CacheableMethod, CacheHint] = {
    "tools/list": CacheHint(ttl_ms=300_000, scope="private"),
    "prompts/list": CacheHint(ttl_ms=300_000, scope="private"),
    "resources/list": CacheHint(ttl_ms=300_000, scope="private"),
}
MOST_STREAMS = 64
PROGRESS_SECONDS = 0.3
"""At most so often, a progress message goes out."""
GRAPH_CHANGED = "notifications/m1nd/graph_changed"
"""`{graph_rev}` to every handshake client that subscribed to a resource (PORTS.md, MCP)."""
MISLEADING = re.compile("[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""What JSON may hold as it is, and a terminal or a reader is misled by."""


def text_of(envelope: Mapping[str, Any]) -> str:
    """The envelope as one line of JSON, readable as it stands; misleading characters are escaped."""
    text = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
    return MISLEADING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def tool_result(envelope: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text_of(envelope))],
        structured_content=envelope,
        is_error=not envelope["ok"],
    )


@define(eq=False)
class Subscriber:
    """A handshake client that asked for updates of resources, and the way to it."""

    connection: Connection
    uris: set[str] = field(factory=set)
    graph_rev: int | None = None
    """The generation that it has not been told yet."""
    telling: asyncio.Task[None] | None = None
    again: bool = False

    def news(self, graph_rev: int | None) -> None:
        """Tell it when it reads; news that come meanwhile become one more message, however many they are."""
        self.graph_rev = self.graph_rev if graph_rev is None else graph_rev
        self.again = True
        if self.telling is None or self.telling.done():
            self.telling = asyncio.get_running_loop().create_task(self._tell())

    def leave(self) -> None:
        if self.telling is not None:
            self.telling.cancel()

    async def _tell(self) -> None:
        while self.again:
            self.again, graph_rev, self.graph_rev = False, self.graph_rev, None
            for uri in sorted(self.uris):
                await self.connection.send_resource_updated(uri)
            if graph_rev is not None:
                await self.connection.notify(GRAPH_CHANGED, {"graph_rev": graph_rev})


@define(eq=False)
class Door:
    """The handlers of one service. `client_of` says who makes a request."""

    service: Service
    client_of: ClientOf
    bus: InMemorySubscriptionBus = field(factory=InMemorySubscriptionBus)
    subscribers: dict[Connection, Subscriber] = field(factory=dict)
    listened: Counter[str] = field(factory=Counter)
    """Addresses that clients of the stateless era listen to, each as often as it is."""
    _streams: ListenHandler = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._streams = ListenHandler(self.bus, max_subscriptions=MOST_STREAMS)
        self.service.listeners.append(self.tell_change)

    def close(self) -> None:
        self.service.listeners.remove(self.tell_change)

    def server(self) -> Server[Any]:
        return Server(
            "m1nd",
            version=__version__,
            title="m1nd",
            instructions=teaching.instructions(),
            cache_hints=HINTS,
            get_tool_input_schema=lambda name: (
                tool_verbs()[name].argument_schema if name in tool_verbs() else None
            ),
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_subscribe_resource=self.subscribe,
            on_unsubscribe_resource=self.unsubscribe,
            on_subscriptions_listen=self.listen,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )

    # Tools

    async def list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed(self.client_of(context)))

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        verb = tool_verbs().get(params.name)
        if verb is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name!r}; tools/list names them")
        progress = _Progress(context.session)
        with progress:
            envelope = await self.service.call(
                self.client_of(context), verb, params.arguments or {}, progress.tell
            )
        await progress.finish()
        return tool_result(envelope)

    # Resources

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=resources.plain_uri(a), name=a.verb, description=a.title, mime_type=resources.MIME
                )
                for a in resources.known()
                if not a.path_argument
            ]
        )

    async def list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=a.uri, name=a.verb, description=a.title, mime_type=resources.MIME
                )
                for a in resources.known()
                if resources.is_template(a)
            ]
        )

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        envelope = await self.service.call(self.client_of(context), *self._located(uri))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=resources.MIME, text=text_of(envelope))]
        )

    def _located(self, uri: str) -> tuple[Any, dict[str, Any]]:
        found = resources.locate(uri)
        if found is None:
            raise MCPError(types.INVALID_PARAMS, "there is no such resource", {"uri": uri})
        return found

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        uri = str(params.uri)
        self._located(uri)
        connection = _connection(context)
        if connection not in self.subscribers:
            self.subscribers[connection] = Subscriber(connection)
            connection.exit_stack.callback(self._forget, connection)
        self.subscribers[connection].uris.add(uri)
        return types.EmptyResult()

    def _forget(self, connection: Connection) -> None:
        if subscriber := self.subscribers.pop(connection, None):
            subscriber.leave()

    async def unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        if subscriber := self.subscribers.get(_connection(context)):
            subscriber.uris.discard(str(params.uri))
        return types.EmptyResult()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """One stream of news; lasts until the client ends it. Addresses of no resource are never news."""
        uris = [uri for uri in params.notifications.resource_subscriptions or () if resources.locate(uri)]
        self.listened.update(uris)
        try:
            return await self._streams(context, params)
        finally:
            self.listened.subtract(uris)

    async def tell_change(self, graph_rev: int, graph_changed: bool) -> None:
        """The log grew: every resource may read otherwise now. A client that does not read is not waited for."""
        for uri in [uri for uri, listeners in self.listened.items() if listeners]:
            await self.bus.publish(ResourceUpdated(uri))
        for subscriber in self.subscribers.values():
            subscriber.news(graph_rev if graph_changed else None)

    # Prompts

    async def list_prompts(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    description=says,
                    arguments=[
                        types.PromptArgument(name=key, description=meaning, required=False)
                        for key, meaning in arguments.items()
                    ],
                )
                for name, (says, arguments) in teaching.prompts(frozenset(tool_verbs())).items()
            ]
        )

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        names = frozenset(tool_verbs())
        found = teaching.prompts(names).get(params.name)
        if found is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name!r}")
        text = teaching.prompt_text(params.name, dict(params.arguments or {}))
        return types.GetPromptResult(
            description=found[0],
            messages=[types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))],
        )


def options(server: Server[Any]) -> InitializationOptions:
    """What a handshake client is told; tools and prompts never change while a server lives."""
    return server.create_initialization_options(NotificationOptions(resources_changed=False))


def _connection(context: Context) -> Connection:
    """The connection of a request. A session is made anew for each request, and only it knows the connection."""
    connection = context.session._connection
    assert isinstance(connection, Connection)
    return connection


class _Progress:
    """Progress of one call: told from a lane's thread, sent from the event loop at most every PROGRESS_SECONDS."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._loop = asyncio.get_running_loop()
        self._latest: tuple[str, int, int] | None = None
        self._sent = 0.0
        self._told = self._over = False
        self._task: asyncio.Task[None] | None = None

    def tell(self, stage: str, done: int, total: int) -> None:
        """Called often, and from another thread. Work that never tells anything costs no task."""
        self._latest = (stage, done, total)
        if not self._told:
            self._told = True
            self._loop.call_soon_threadsafe(self._start)

    def _start(self) -> None:
        if not self._over:
            self._task = self._loop.create_task(self._pump())

    def __enter__(self) -> None:
        """Nothing is sent before something was told."""

    def __exit__(self, *error: object) -> None:
        self._over = True
        if self._task is not None:
            self._task.cancel()

    async def finish(self) -> None:
        """The last message, if there was any: everything is done."""
        if self._sent:
            await self._session.report_progress(self._sent + 1, self._sent + 1, "done")

    async def _pump(self) -> None:
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            latest, self._latest = self._latest, None
            if latest is None:
                continue
            stage, done, total = latest
            # One number for all stages: it only grows, and what is left of a later stage is not known yet.
            self._sent += 1
            words = f"{stage} {done}/{total}" if total > 0 else f"{stage} {done}"
            await self._session.report_progress(self._sent, None, words)
