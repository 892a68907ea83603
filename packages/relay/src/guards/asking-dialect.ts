import {
  type Dialect,
  type DialectContext,
  describeHook,
  type HeardInput,
  type HookDefinition,
  type HookEvent,
  type Invocation,
} from '@tenterhook/protocol';
import { isSameJson } from '@tenterhook/runtime/json';
import { withCanonicalCalls } from './canonical-calls.js';

/** What an agent asks about. */
export interface HeardEvent {
  /** The event in the spelling of the agent. */
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The event, if the agent asks about one only. Undefined for a call with several parts. */
  readonly input?: HeardInput;
}

/** Who asks, and about what. */
export interface Asking {
  /** The dialect of the agent that asks. */
  readonly dialect: Dialect;
  readonly context: DialectContext;
  /** False if the agent does not run the hooks in the settings of other agents, although it could. @default true */
  readonly runsToo?: boolean;
  /** Returns what the agent asks about now. Hooks of several events may run side by side. */
  heard(): HeardEvent | undefined;
}

/**
 * Returns the dialects for the events of an agent. Hooks that the agent runs itself are skipped. A hook in the agent's own format reads what
 * the agent wrote, unless another hook has rewritten it. Hooks in other formats receive canonical calls.
 */
export function dialectsFor(dialects: readonly Dialect[], asking: Asking): readonly Dialect[] {
  const { dialect: own, context, runsToo = true } = asking;
  const locations = own.locations(context);
  const ownFiles = new Set([...locations.map(({ file }) => file), ...(runsToo ? (own.relay?.runsToo?.(context) ?? []) : [])]);
  const ownFolders = new Set(locations.flatMap(({ folder }) => folder ?? []));
  const isOwn = (file: string) => ownFiles.has(file) || ownFolders.has(file.replace(/[\\/][^\\/]*$/, ''));
  return dialects.map((dialect) => ({
    ...dialect,
    parse: (document, given) => {
      const parsed = dialect.parse(document, given);
      if (document.file === undefined || !isOwn(document.file)) return parsed;
      return { ...parsed, hooks: parsed.hooks.map((hook) => runByAgent(hook, own.relay?.agent ?? own.name)) };
    },
    ...(dialect.name === own.name
      ? {
          invocation: (event, hook, environment) => {
            const invocation = dialect.invocation(event, hook, environment);
            const heard = asking.heard();
            // An agent may have several events for one event here, and each has its own form of input.
            return heard === undefined || hook.dialectEvent === heard.event ? withPayload(invocation, event, heard) : invocation;
          },
        }
      : own.relay?.otherTools === undefined
        ? {}
        : withCanonicalCalls(dialect, own.relay.otherTools)),
  }));
}

function runByAgent(hook: HookDefinition, agent: string): HookDefinition {
  if (hook.skip !== undefined) return hook;
  return { ...hook, skip: { skipReason: 'run-by-agent', reason: `${agent} runs ${describeHook(hook)} itself.` } };
}

function withPayload(invocation: Invocation, { input }: HookEvent, heard: HeardEvent | undefined): Invocation {
  if (heard?.input === undefined) return invocation;
  const { payload } = heard;
  const fields = Object.entries(heard.input.input).filter(([name]) => !['session_id', 'cwd', 'timestamp'].includes(name));
  const isAsHeard = fields.every(([name, value]) => isSameJson((input as Readonly<Record<string, unknown>>)[name], value));
  if (!isAsHeard) return invocation;
  switch (invocation.kind) {
    case 'command':
      return { ...invocation, stdin: JSON.stringify(payload) };
    case 'http':
      return { ...invocation, body: JSON.stringify(payload) };
    case 'host':
      return { ...invocation, input: payload };
    default:
      return invocation;
  }
}
