export { hookMcpTransport } from './transport/hook-mcp-transport.js';

export type { HookMcpTransportOptions, McpTransport, WrappedTransport } from './transport/hook-mcp-transport.js';
