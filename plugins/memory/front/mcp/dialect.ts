/** Errors for MCP clients: JSON-RPC errors without a request id. */
import { Type, type Dialect } from 'plugboard/sdk';

/** From the range that JSON-RPC reserves for servers. */
const REFUSED = -32_000;
const INVALID_REQUEST = -32_600;

export const mcpErrors: Dialect = {
  name: 'mcp',
  schema: Type.Object(
    {
      jsonrpc: Type.Literal('2.0'),
      id: Type.Union([Type.Null(), Type.String(), Type.Number()]),
      error: Type.Object({
        code: Type.Integer(),
        message: Type.String(),
        data: Type.Optional(Type.Unknown()),
      }),
    },
    { title: 'McpError' },
  ),
  render: ({ status, headers, code, message }) => ({
    status,
    headers,
    body: {
      jsonrpc: '2.0',
      id: null,
      error: { code: status === 400 ? INVALID_REQUEST : REFUSED, message, data: { code } },
    },
  }),
};
