import type { AggregatedHookResult, Hooks } from 'tenterhook';
import type { Model, Seen, ToolCall } from './scripted-model.js';
import type { ToolInput, ToolResult, Tools } from './tools.js';

/** One tool call and what became of it. */
export interface FinishedCall {
  readonly call: ToolCall;
  readonly fate: 'allowed' | 'changed' | 'blocked' | 'stopped';
  readonly before: AggregatedHookResult;
  /** Absent where the tool did not run. */
  readonly after?: AggregatedHookResult;
  /** What the model gets to see. */
  readonly seen: Seen;
}

/** Whoever watches the loop. */
export interface Watcher {
  said(text: string): void;
  called(call: ToolCall): void;
  finished(finished: FinishedCall): void;
}

export interface AgentLoopOptions {
  readonly hooks: Hooks;
  readonly model: Model;
  readonly tools: Tools;
  readonly watcher: Watcher;
  readonly signal: AbortSignal;
}

/** Asks the model, carries out the tool call it wants, shows it the result, and so on until it wants none. */
export async function runAgentLoop(options: AgentLoopOptions): Promise<void> {
  const { hooks, model, watcher, signal } = options;
  const start = await hooks.getEventHandler().fireSessionStartEvent('startup', { signal });
  let seen: Seen = { text: withHookMessages('You are an agent in a workspace.', start) };

  while (!signal.aborted) {
    const { text, call } = model.reply(seen);
    watcher.said(text);
    if (call === undefined) break;

    watcher.called(call);
    const finished = await carryOutCall(call, options);
    watcher.finished(finished);
    if (finished.fate === 'stopped') break;
    seen = finished.seen;
  }

  await hooks.getEventHandler().fireSessionEndEvent('exit', { signal });
}

async function carryOutCall(call: ToolCall, { hooks, tools, signal }: AgentLoopOptions): Promise<FinishedCall> {
  const events = hooks.getEventHandler();
  const before = await events.fireBeforeToolEvent(call.name, { ...call.input }, undefined, { signal });

  // The verdict decides, and nothing else does: a hook that crashed or said nothing is not in it.
  const refusal = refusalOf(before);
  if (before.verdict.stop || refusal !== undefined) {
    const text = withHookMessages(`Not run: ${refusal ?? before.verdict.stopReason ?? 'a hook stopped the agent.'}`, before);
    return { call, fate: before.verdict.stop ? 'stopped' : 'blocked', before, seen: { text, isError: true } };
  }

  // What hooks rewrote is all the tool gets to see; the model's own input is not used beside it.
  const rewritten = before.finalOutput?.hookSpecificOutput?.['tool_input'] as ToolInput | undefined;
  const input = rewritten ?? call.input;
  const result = await runTool(call.name, input, tools, signal);

  const response = { llmContent: result.text, returnDisplay: result.text, ...(result.isError ? { error: result.text } : {}) };
  const after = await events.fireAfterToolEvent(call.name, { ...input }, response, undefined, { signal });
  // The tool has run: a deny undoes nothing now, and its reason is feedback for the model.
  const feedback = after.verdict.kind === 'deny' ? `\n${after.verdict.reason}` : '';
  return {
    call,
    fate: after.verdict.stop ? 'stopped' : rewritten === undefined ? 'allowed' : 'changed',
    before,
    after,
    seen: { ...result, text: withHookMessages(withHookMessages(result.text, before), after) + feedback },
  };
}

/** Why the tool may not run. An "ask" would go to the user; this loop has none, and what nobody confirmed does not happen. */
function refusalOf({ verdict }: AggregatedHookResult): string | undefined {
  switch (verdict.kind) {
    case 'deny':
      return verdict.reason ?? 'a hook denied it.';
    case 'ask':
      return `nobody is here to confirm it. ${verdict.reason ?? ''}`.trim();
    default:
      return undefined;
  }
}

async function runTool(name: string, input: ToolInput, tools: Tools, signal: AbortSignal): Promise<ToolResult> {
  try {
    return (await tools[name]?.(input, signal)) ?? { text: `There is no tool "${name}".`, isError: true };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

/** Hooks speak to the model in two ways: a message of their own, and context that belongs to what it looks at. */
function withHookMessages(text: string, { finalOutput }: AggregatedHookResult): string {
  return [text.trimEnd(), finalOutput?.systemMessage, finalOutput?.getAdditionalContext()].filter((part) => part !== undefined).join('\n');
}
