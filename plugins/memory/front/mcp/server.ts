/**
 * The MCP server on the official SDK, which serves every revision of the protocol on one path. Loaded on first use and
 * stateless, so any instance of a deployment can respond.
 */
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { isServiceError, type Logger } from 'plugboard/sdk';
import type { Mem0Memories } from '../mem0/memories.js';
import { TOOLS, type Caller, type Tool } from './tools.js';

export interface McpParts {
  readonly mem0: Mem0Memories;
  readonly log: Pick<Logger, 'error' | 'debug'>;
}

export class MemoryMcp {
  readonly #parts: McpParts;
  #handler: Promise<McpHttpHandler> | undefined;

  constructor(parts: McpParts) {
    this.#parts = parts;
  }

  async answer(request: globalThis.Request, body: unknown, caller: Caller): Promise<Response> {
    this.#handler ??= this.#load();
    const { fetch } = await this.#handler;
    // The caller is already authenticated: no token is passed on.
    const authInfo = { token: '', clientId: caller.reach.owner, scopes: [], extra: { caller } };
    return fetch(request, { authInfo, parsedBody: body });
  }

  async #load(): Promise<McpHttpHandler> {
    const { createMcpHandler, fromJsonSchema, McpServer } = await import('@modelcontextprotocol/server');
    const schemas = new Map(
      TOOLS.map((tool) => [tool, fromJsonSchema<never>(JSON.parse(JSON.stringify(tool.input)) as object)]),
    );
    const { log } = this.#parts;
    return createMcpHandler(
      ({ authInfo }) => {
        const server = new McpServer({ name: 'plugboard-memory', version: '1' });
        for (const tool of TOOLS) {
          const { name, description, readOnly } = tool;
          const about = {
            description,
            inputSchema: schemas.get(tool)!,
            annotations: { readOnlyHint: readOnly, destructiveHint: !readOnly },
          };
          server.registerTool(name, about, (input) =>
            this.#run(tool, authInfo?.extra?.['caller'] as Caller, input),
          );
        }
        return server;
      },
      {
        // The server sends no notifications, so it keeps no streams open.
        maxSubscriptions: 0,
        onerror: (error) => log.debug({ err: error }, 'a request of an MCP client was refused'),
      },
    );
  }

  /** A refusal is reported to the model, which can correct it; a failure is only logged. */
  async #run(tool: Tool, caller: Caller, input: never) {
    try {
      const told = await tool.run(this.#parts.mem0, caller, input);
      return { content: [{ type: 'text' as const, text: JSON.stringify(told) }] };
    } catch (error) {
      if (!isServiceError(error)) this.#parts.log.error({ err: error, tool: tool.name }, 'a tool failed');
      const text = isServiceError(error) ? error.message : 'the server failed; its log says why';
      return { isError: true, content: [{ type: 'text' as const, text }] };
    }
  }
}
