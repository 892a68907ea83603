import type { HookClient } from '@tenterhook/agent';
import { fieldsOf, findRuns, tellMessage, withFields } from '@tenterhook/agent/internal';
import type { Hooked } from '../options.js';
import { keyOfRun } from '../run-keys.js';
import { hasReview } from './reviews.js';
import { runTool } from './run-tool.js';
import { streamTool } from './stream-tool.js';
import type { Execute, ExecuteOptions, NamedTool, ToolLike } from './tool-like.js';
import { isAsyncIterable } from './tool-output.js';

/** The source of the client of each hooked tool, so that tools that pass `withHooks` twice do not fire each event twice. */
const sources = new WeakMap<object, Hooked['source']>();

/** Returns the tool with other fields. A hooked tool stays one. */
export function withToolFields(tool: object, fields: Readonly<Record<string, unknown>>): object {
  const copy = withFields(tool, fields);
  const source = sources.get(tool);
  if (source !== undefined) sources.set(copy, source);
  return copy;
}

/** Returns the tools with an `execute` that passes the hooks. Tools that cannot pass them are named in one message. */
export function hookTools(hooked: Hooked, tools: Readonly<Record<string, object>>): Record<string, object> {
  const entries = Object.entries(tools).map(([name, tool]) => [name, hookTool(hooked, { name, tool: tool as ToolLike })] as const);
  const ungated = entries.filter(([name, tool]) => tool === tools[name] && !sources.has(tool) && !hooked.reported.has(name));
  if (ungated.length > 0) {
    for (const [name] of ungated) hooked.reported.add(name);
    const names = ungated.map(([name, tool]) => `${name} (${whyUngated(tool as ToolLike)})`).join(', ');
    const text = `Hooks of BeforeTool and AfterTool do not receive the calls of ${names}.`;
    tellMessage(hooked.options.onMessage, { text, audience: 'user', eventName: 'BeforeTool' });
  }
  return Object.fromEntries(entries);
}

function hookTool(hooked: Hooked, named: NamedTool): object {
  const { tool } = named;
  const { execute } = fieldsOf(tool);
  if (typeof execute !== 'function' || sources.get(tool) === hooked.source) return tool;
  const own = (input: unknown, execution: ExecuteOptions) => Reflect.apply(execute, tool, [input, execution]) as unknown;
  const copy = withFields(tool, { execute: isGenerator(execute) ? hookGenerator(hooked, named, own) : hookFunction(hooked, named, own) });
  sources.set(copy, hooked.source);
  return copy;
}

function hookFunction(hooked: Hooked, named: NamedTool, own: Execute): Execute {
  return (input, execution) => {
    const client = hooked.client();
    if (isIdle(client, execution)) return own(input, execution);
    const run = async (effective: unknown) => lastOf(await own(effective, execution));
    return runTool(client, { ...named, ...hooked, input, execution, run });
  };
}

function hookGenerator(hooked: Hooked, named: NamedTool, own: Execute): Execute {
  return (input, execution) => {
    const client = hooked.client();
    if (isIdle(client, execution)) return own(input, execution);
    const open = (effective: unknown) => own(effective, execution) as AsyncIterable<unknown>;
    return streamTool(client, { ...named, ...hooked, input, execution, open });
  };
}

/** Whether no hook has anything to say about a call. */
function isIdle(client: HookClient, { toolCallId, messages }: ExecuteOptions): boolean {
  if (client.has('BeforeTool') || client.has('AfterTool')) return false;
  if (hasReview(messages, toolCallId)) return false;
  const run = findRuns(client)?.find(keyOfRun(messages, toolCallId));
  return run?.get(toolCallId)?.toolSelection === undefined;
}

/** The output of a plain function that returns an iterable is its last item, as in the SDK. */
async function lastOf(output: unknown): Promise<unknown> {
  if (!isAsyncIterable(output)) return output;
  let last: unknown;
  for await (const item of output) last = item;
  return last;
}

function isGenerator(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]';
}

function whyUngated({ type }: ToolLike): string {
  return type === 'provider' || type === 'provider-defined' ? 'the provider runs it' : 'it has no execute';
}
