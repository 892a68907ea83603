import type { HookDefinition, HookEvent, Selection } from '@tenterhook/protocol';
import { selectByMatcher } from '../../shared/name-matcher.js';
import { findOtherResult } from '../../shared/tool-result.js';
import { type CopilotEvent, factsOf, isPascal } from '../input/event-table.js';
import { subjectOf } from '../input/payload.js';
import type { CopilotHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { mcpToolOfInput, namesInInput } from '../tools/tool-call.js';

/**
 * Selects a hook. Several events of Copilot are one event here, so the kind of the tool and its result are compared too. VS Code ignores
 * matchers.
 */
export function select(hook: HookDefinition, event: HookEvent, host: CopilotHost): Selection {
  const { event: name, matcher } = dataOf(hook);
  const { subject } = factsOf(name);
  const other = findOtherKind(name, event, host);
  if (other !== undefined) return other;
  const byMatcher: Selection = host.isVsCode
    ? { run: true, reason: `VS Code ignores matchers, so it runs on every ${hook.dialectEvent}` }
    : selectByMatcher(hook, {
        event: hook.dialectEvent,
        matcher,
        subject,
        subjects: () => subjectsOf(hook, event, host),
      });
  if (!byMatcher.run) return byMatcher;
  return findOtherResult(factsOf(name).result, event) ?? byMatcher;
}

/** Returns the texts that the matcher is compared with, or undefined if the event does not have the field. */
function subjectsOf(hook: HookDefinition, event: HookEvent, host: CopilotHost): readonly string[] | undefined {
  const { event: name, matcher } = dataOf(hook);
  if (factsOf(name).ofTool !== true) {
    const value = subjectOf(event, name);
    return value === undefined ? undefined : [value];
  }
  const names = namesInInput(event.input, host);
  if (names === undefined) return undefined;
  if (!isPascal(hook.dialectEvent)) return names.own;
  return matcher.kind === 'names' ? [...new Set([...names.claude, ...names.own])] : names.claude;
}

function findOtherKind(name: CopilotEvent, { input }: HookEvent, host: CopilotHost): Selection | undefined {
  if (factsOf(name).ofMcp !== true || mcpToolOfInput(input, host) !== undefined) return undefined;
  const reason = `${name} is only for tools of MCP servers`;
  // Only `explain` passes an event without a tool. Whether the hook would run is then unknown.
  return { run: false, skipReason: 'condition', reason, ...(input['tool_name'] === undefined ? { reconsider: true } : {}) };
}
