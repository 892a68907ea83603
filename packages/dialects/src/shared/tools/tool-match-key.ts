import type { Dialect, HookDefinition, HookEventName, McpContext } from '@tenterhook/protocol';

/** Begins the key of a tool of a server. A host's tool whose name begins with it has no key: it could be taken for one. */
const serverMark = '\u0001';

/** The most subjects that are remembered for one list of hooks; beyond it, all are asked anew. */
const maxSubjects = 1024;

/** What an event is known by before anything is made for it. */
export interface KnownSubject {
  readonly eventName: HookEventName;
  readonly subject: string;
  readonly mcpContext: McpContext | undefined;
}

/**
 * Everything that `select` reads of an event as one text, where that is no more than the tool and its server. `readsMore`: whether one of the
 * hooks runs or not by something else, by the result of the tool, say; asked once for a subject.
 */
export function createToolMatchKey(
  readsMore: (hooks: readonly HookDefinition[], known: KnownSubject) => boolean,
): NonNullable<Dialect['matchKey']> {
  const remembered = new WeakMap<readonly HookDefinition[], Map<string, boolean>>();

  return (eventName, subject, mcpContext, hooks) => {
    if (mcpContext === undefined && subject.startsWith(serverMark)) return undefined;
    const key =
      mcpContext === undefined ? subject : `${serverMark}${JSON.stringify([mcpContext.server_name, mcpContext['tool_name'], subject])}`;
    let known = remembered.get(hooks);
    if (known === undefined || known.size >= maxSubjects) {
      known = new Map();
      remembered.set(hooks, known);
    }
    let more = known.get(key);
    if (more === undefined) {
      more = readsMore(hooks, { eventName, subject, mcpContext });
      known.set(key, more);
    }
    return more ? undefined : key;
  };
}
