import type { Decoded, Dialect, HookEvent, HookExecutor, HookInput, HookOutput, HookSource, RelayOtherTools } from '@tenterhook/protocol';
import { isAfterwards } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the methods of a dialect for events of an agent that has a second shell, a second editor and the like. Hooks receive a call of such
 * a tool under the canonical name, with the agent's name in `agent_tool_name`, and their matchers may use either name. The event itself keeps
 * the agent's name, because hooks in the agent's own format must receive what the agent has written. A second field with a name in the event
 * was rejected: plans are cached by the name of the tool.
 */
export function withCanonicalCalls(dialect: Dialect, tools: RelayOtherTools): Pick<Dialect, 'select' | 'invocation' | 'decode'> {
  const canonicalOf = canonicalEvents(tools, withFields);
  const matchedOf = canonicalEvents(tools, withFieldsAsNeeded);
  return {
    select(hook, event) {
      const canonical = matchedOf(event);
      const selection = dialect.select(hook, canonical);
      if (selection.run || canonical === event) return selection;
      const byAgentName = dialect.select(hook, event);
      return byAgentName.run || byAgentName.reconsider ? byAgentName : selection;
    },
    invocation: (event, hook, environment) => dialect.invocation(canonicalOf(event), hook, environment),
    decode: (exit, event, hook) => withAgentInput(dialect.decode(exit, canonicalOf(event), hook), event, canonicalOf(event), tools),
  };
}

/** Returns an engine of handlers for events of such an agent. Engines share one dialect, and so do the returned ones. */
export function engineWithCanonicalCalls<Engine extends HookSource & HookExecutor>(engine: Engine, tools: RelayOtherTools): Engine {
  const { dialect } = engine;
  if (dialect === undefined) return engine;
  const known = wrapped.get(tools) ?? new Map<Dialect, Dialect>();
  wrapped.set(tools, known);
  const own = known.get(dialect) ?? { ...dialect, ...withCanonicalCalls(dialect, tools) };
  known.set(dialect, own);
  return new Proxy(engine, {
    get(target, key) {
      if (key === 'dialect') return own;
      const value: unknown = Reflect.get(target, key);
      // The methods of a class with private fields do not work on a proxy.
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const wrapped = new WeakMap<RelayOtherTools, Map<Dialect, Dialect>>();

/** The fields of the canonical call. */
interface CanonicalCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly agent_tool_name: string;
}

/** Returns a function that converts events. Hooks with the same input share the converted event. */
function canonicalEvents(tools: RelayOtherTools, convert: (event: HookEvent, call: CanonicalCall) => HookEvent) {
  const known = new WeakMap<HookInput, HookEvent>();
  return (event: HookEvent): HookEvent => {
    const fields: Fields = event.input;
    const { tool_name: name } = fields;
    const canonical = typeof name === 'string' ? tools.nameOf(name) : undefined;
    if (canonical === undefined || isOfServer(fields['mcp_context'])) return event;
    const converted = known.get(event.input) ?? convert(event, callOf(fields, canonical, tools));
    known.set(event.input, converted);
    return converted;
  };
}

function callOf(fields: Fields, canonical: string, tools: RelayOtherTools): CanonicalCall {
  const name = fields['tool_name'] as string;
  let args: unknown;
  return {
    tool_name: canonical,
    get tool_input() {
      const { tool_input: given, cwd } = fields;
      args ??= isPlainObject(given) ? tools.toCanonical(name, given, typeof cwd === 'string' ? cwd : '') : given;
      return args;
    },
    agent_tool_name: name,
  };
}

function withFields(event: HookEvent, call: CanonicalCall): HookEvent {
  return { ...event, input: { ...event.input, ...call } as HookInput };
}

/** A copy of the event would read all of its fields, so that the plan could not be used for other events with the tool. */
function withFieldsAsNeeded(event: HookEvent, call: CanonicalCall): HookEvent {
  const input: HookInput = Object.create(event.input, Object.getOwnPropertyDescriptors(call));
  return Object.create(event, { input: { value: input } });
}

function isOfServer(context: unknown): boolean {
  return isPlainObject(context) && typeof context['server_name'] === 'string' && context['server_name'] !== '';
}

/** The names of new arguments in the outputs of dialects. */
const inputFields = ['tool_input', 'updatedInput'];

/** Converts new arguments that a hook wrote to the keys of the agent's tool. */
function withAgentInput(decoded: Decoded, event: HookEvent, canonical: HookEvent, tools: RelayOtherTools): Decoded {
  const specific = decoded.output?.hookSpecificOutput;
  if (canonical === event || specific === undefined || isAfterwards(event.eventName)) return decoded;
  const { tool_name: name, tool_input: given, cwd }: Fields = event.input;
  const converted: Record<string, unknown> = { ...specific };
  const isDenied = decoded.output?.decision === 'deny' || decoded.output?.decision === 'block';
  let denial: HookOutput = {};
  for (const field of inputFields) {
    const written = specific[field];
    if (!isPlainObject(written)) continue;
    const input = tools.toAgent(name as string, written, isPlainObject(given) ? given : {}, typeof cwd === 'string' ? cwd : '');
    if (input === undefined) {
      delete converted[field];
      if (!isDenied)
        denial = { decision: 'deny', reason: `The tool ${name} cannot do what a hook wrote into its arguments, so the call is denied.` };
    } else converted[field] = input;
  }
  return { ...decoded, output: { ...decoded.output, ...denial, hookSpecificOutput: converted } };
}
