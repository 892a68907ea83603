import type { HookDefinition, HookEventName, McpContext } from '@tenterhook/protocol';
import { dataOf } from './hook-data.js';
import type { EcaHost } from './options.js';
import { ecaToolOf } from './tool.js';

/** Begins the key of a tool of a server. A host's tool whose name begins with it has no key: it could be taken for one. */
const serverMark = '\u0001';

/** The most tools that are remembered for one list of hooks; beyond it, all are asked anew. */
const maxTools = 1024;

/** Everything that `select` reads of an event as one text, where it reads no more than the tool. */
export function createMatchKey(host: EcaHost) {
  const conditional = new WeakMap<readonly HookDefinition[], Map<string, boolean>>();

  return (eventName: HookEventName, subject: string, mcp: McpContext | undefined, hooks: readonly HookDefinition[]): string | undefined => {
    if (mcp === undefined && subject.startsWith(serverMark)) return undefined;
    const key = mcp === undefined ? subject : `${serverMark}${JSON.stringify([mcp.server_name, mcp['tool_name'], subject])}`;
    if (eventName !== 'AfterTool') return key;
    let known = conditional.get(hooks);
    if (known === undefined || known.size >= maxTools) {
      known = new Map();
      conditional.set(hooks, known);
    }
    let reads = known.get(key);
    if (reads === undefined) {
      reads = readsResult(hooks, ecaToolOf(subject, mcp, host).candidates);
      known.set(key, reads);
    }
    return reads ? undefined : key;
  };
}

/** Whether a hook for this tool runs or not by the result, which no key holds. */
function readsResult(hooks: readonly HookDefinition[], candidates: readonly string[]): boolean {
  return hooks.some((hook) => {
    const { runOnError, matches } = dataOf(hook);
    return !runOnError && (matches === undefined || candidates.some(matches));
  });
}
