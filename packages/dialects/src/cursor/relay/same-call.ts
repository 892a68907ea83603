import type { AggregatedHookResult, Heard, RelayCallMemory } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { isText } from '../../shared/text.js';

type Fields = Readonly<Record<string, unknown>>;
type HeardEvents = Extract<Heard, { kind: 'events' }>;

const shellTool = 'run_shell_command';

/**
 * One call of the shell fires `preToolUse` and then `beforeShellExecution`, which has the command alone. The answer to the first event also
 * answers the second. The other events before a tool tell more than `preToolUse`: the server of a tool, or the content of a file. Their
 * hooks run, because a guard may look at that.
 *
 * Cursor takes no text for the model before a tool. The text is kept, and said when the tool has succeeded.
 */
export const sameCall: RelayCallMemory = {
  keep(heard, results) {
    if (heard.kind !== 'events' || heard.event !== 'preToolUse') return { said: results, kept: [] };
    const said = results.map((result) => without(result, 'additionalContext'));
    const id = callKey(heard);
    const hasContext = results.some(({ finalOutput }) => finalOutput?.hookSpecificOutput?.['additionalContext'] !== undefined);
    const context = id !== undefined && hasContext ? [{ key: id, results: results.map(contextOf) }] : [];
    return { said: id === undefined ? results : said, kept: [...context, ...shellAnswers(heard, said)] };
  },
  answeredBy(heard) {
    // preToolUse does not say that the command runs confined.
    if (heard.kind !== 'events' || heard.event !== 'beforeShellExecution' || heard.payload['sandbox'] === true) return undefined;
    return shellKey(heard, heard.inputs[0]?.input);
  },
  completedBy(heard) {
    return heard.kind === 'events' && heard.event === 'postToolUse' ? callKey(heard) : undefined;
  },
};

/**
 * Returns the answers for the command as it was given and as hooks rewrote it. If the rewritten command comes, the rewrite was carried out
 * already. If the given one comes, it was not.
 */
function shellAnswers(heard: HeardEvents, said: readonly AggregatedHookResult[]): ReturnType<RelayCallMemory['keep']>['kept'] {
  const input = heard.inputs[0]?.input ?? {};
  const rewritten = said[0]?.finalOutput?.hookSpecificOutput?.['tool_input'];
  const [given, changed] = [
    shellKey(heard, input),
    isPlainObject(rewritten) ? shellKey(heard, { ...input, tool_input: rewritten }) : undefined,
  ];
  return [
    ...(given === undefined || given === changed ? [] : [{ key: given, results: said }]),
    ...(changed === undefined ? [] : [{ key: changed, results: said.map((result) => without(result, 'tool_input')) }]),
  ];
}

function shellKey({ payload }: HeardEvents, input: Fields | undefined): string | undefined {
  const { tool_name: name, tool_input: given, cwd } = input ?? {};
  const { conversation_id: conversation, generation_id: turn } = payload;
  const command = isPlainObject(given) ? given['command'] : undefined;
  if (name !== shellTool || !isText(command) || !isText(conversation) || !isText(turn)) return undefined;
  return JSON.stringify(['shell', conversation, turn, cwd, command]);
}

function callKey({ payload }: HeardEvents): string | undefined {
  const { conversation_id: conversation, tool_use_id: id } = payload;
  return isText(conversation) && isText(id) ? JSON.stringify(['context', conversation, id]) : undefined;
}

function without(result: AggregatedHookResult, field: string): AggregatedHookResult {
  const { finalOutput } = result;
  const specific = finalOutput?.hookSpecificOutput;
  if (finalOutput === undefined || specific?.[field] === undefined) return result;
  const { [field]: _left, ...others } = specific;
  return { ...result, finalOutput: { ...finalOutput, hookSpecificOutput: others } } as AggregatedHookResult;
}

/** Returns a result that has the context alone. */
function contextOf(result: AggregatedHookResult): AggregatedHookResult {
  const context = result.finalOutput?.hookSpecificOutput?.['additionalContext'];
  return {
    ...result,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    finalOutput: { hookSpecificOutput: { additionalContext: context } },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [],
  } as unknown as AggregatedHookResult;
}
