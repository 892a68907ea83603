import { type AnyAgent, type RunContext, RunToolApprovalItem } from '../agents-sdk.js';
import { approvedIds } from './find-approval.js';

/** The name under which the context of a run keeps the servers. No tool has it, because the SDK permits no spaces in names of tools. */
const recordName = 'tenterhook: MCP servers';

/**
 * Keeps from which MCP server a tool is whose call the user is asked about. The SDK binds such a question to the server by the function of the
 * tool, which a hooked tool does not have. The approvals of the context are the only part of a run that the SDK stores and that is at hand in
 * the tool, so the server is kept as one of a tool that does not exist.
 */
export function keepServer(runContext: RunContext, agent: AnyAgent, callId: string, server: string): void {
  const record = { type: 'function_call', name: recordName, callId: JSON.stringify([callId, shownName(server)]), arguments: '{}' } as const;
  runContext.approveTool(new RunToolApprovalItem({ ...record, status: 'completed' }, agent));
}

/** Whether the user has been asked about calls of tools of MCP servers. */
export function hasServers(runContext: RunContext): boolean {
  return approvedIds(runContext, recordName).length > 0;
}

/**
 * Returns why a call must not run with the approval of the user: its tool is not the one that the user was asked about. `isApproved` says
 * whether the user has approved this very call. A tool of an MCP server is only asked about with a record of its server.
 */
export function findOtherServer(
  runContext: RunContext,
  callId: string | undefined,
  server: string | undefined,
  isApproved: () => boolean,
): string | undefined {
  const records = approvedIds(runContext, recordName).map((id) => JSON.parse(id) as readonly [callId: string, server: string]);
  const asked = records.flatMap(([id, name]) => (id === callId ? [name] : []));
  const now = server === undefined ? undefined : shownName(server);
  const isSame = asked.length === 0 ? now === undefined || !isApproved() : now !== undefined && asked.includes(now);
  if (isSame) return undefined;
  const nameOf = (name: string | undefined) => (name === undefined ? 'of no MCP server' : `of the MCP server ${JSON.stringify(name)}`);
  return `the user was asked about a tool ${nameOf(asked.at(-1))}, and the tool is now one ${nameOf(now)}. Restore the tool, or start a new run.`;
}

/** Removes the secret parts of a URL, because runs are stored. The SDK names servers by their URLs if the app does not. */
function shownName(server: string): string {
  return server.replace(/https?:\/\/\S+/gi, (text) => {
    if (!URL.canParse(text)) return 'a URL';
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname}`;
  });
}
