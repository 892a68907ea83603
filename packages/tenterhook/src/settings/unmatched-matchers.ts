import {
  type Diagnostic,
  type Dialect,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  nearestName,
} from '@tenterhook/protocol';

const shownTools = 10;

/**
 * Hooks whose matcher fits none of the tools that the agent has: they are configured, they are on, and they never run. Asked of the dialect
 * and not of its patterns, because only the dialect knows what a matcher is tried against.
 */
export function unmatchedMatchers(
  hooks: readonly HookDefinition[],
  dialect: Dialect,
  toolNames: readonly string[],
  projectDir: string,
): Diagnostic[] {
  if (toolNames.length === 0) return [];
  return hooks
    .filter(({ eventName, skip }) => skip === undefined && eventEntry(eventName).matcherField === 'tool_name')
    .filter((hook) => toolNames.every((tool) => isRuledOut(hook, dialect, eventOf(hook.eventName, tool, projectDir))))
    .map((hook) => unmatched(hook, toolNames));
}

/** By the name of the tool alone: a condition may hold for another input, and what would be asked again has not been decided. */
function isRuledOut(hook: HookDefinition, dialect: Dialect, event: HookEvent): boolean {
  try {
    const selection = dialect.select(hook, event);
    return !selection.run && selection.skipReason === 'matcher' && selection.reconsider !== true;
  } catch {
    return false;
  }
}

function eventOf(eventName: HookEventName, toolName: string, projectDir: string): HookEvent {
  const base = { session_id: '', transcript_path: '', cwd: projectDir, hook_event_name: eventName, timestamp: '1970-01-01T00:00:00.000Z' };
  return { eventName, projectDir, input: { ...base, tool_name: toolName, tool_input: {}, tool_response: {} } };
}

function unmatched(hook: HookDefinition, toolNames: readonly string[]): Diagnostic {
  const matcher = hook.matcher === undefined ? 'The matcher' : `The matcher ${JSON.stringify(hook.matcher)}`;
  const nearest = nearestTool(hook.matcher ?? '', toolNames);
  const some = toolNames.slice(0, shownTools).join(', ');
  return {
    code: 'unmatched_matcher',
    severity: 'warning',
    message: `${matcher} matches none of the ${toolNames.length} tools that the agent has; the hook never runs.`,
    remedy: nearest === undefined ? `Its tools are ${some}${toolNames.length > shownTools ? ', …' : ''}.` : `Did you mean "${nearest}"?`,
    ...(hook.file === undefined ? {} : { file: hook.file }),
    ...(hook.line === undefined ? {} : { line: hook.line }),
    dialect: hook.dialect,
    source: hook.source,
    eventName: hook.eventName,
    hookId: hook.id,
  };
}

/** Of a pattern the names in it are compared: the parts between what no tool has in its name. */
function nearestTool(matcher: string, toolNames: readonly string[]): string | undefined {
  const names = matcher.split(/[^\w:./-]+/).filter((name) => name !== '');
  return names.map((name) => nearestName(name, toolNames)).find((nearest) => nearest !== undefined);
}
