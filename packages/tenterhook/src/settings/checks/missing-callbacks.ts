import { type Diagnostic, formatDiagnostic, type HookDefinition, type ParsedSettings } from '@tenterhook/protocol';
import { placeOfHook } from '@tenterhook/protocol/internal';

/**
 * Marks hooks whose callback the caller of `createHooks` did not pass, e.g. the callback that asks a model. Without the mark, these hooks
 * would fail at every event, and only a log would report it. A dialect does not know the callbacks, so it cannot mark these hooks.
 *
 * `isRun` tests whether there is a callback for a type. The command line has no callbacks. There, these hooks are not reported as invalid,
 * because they may run in an agent.
 */
export function markMissingCallbacks(parsed: ParsedSettings, isRun: (type: string) => boolean, isCommandLine = false): ParsedSettings {
  const diagnostics: Diagnostic[] = [];
  const hooks = parsed.hooks.map((hook) => {
    const type = hostType(hook);
    if (type === undefined || hook.skip !== undefined || isRun(type)) return hook;
    const problem = isCommandLine ? elsewhere(type, hook) : missingCallback(type, hook);
    diagnostics.push(problem);
    const message = formatDiagnostic(problem);
    return { ...hook, skip: { skipReason: 'invalid' as const, reason: message, warning: { code: problem.code, message } } };
  });
  return diagnostics.length === 0 ? parsed : { ...parsed, hooks, diagnostics: [...parsed.diagnostics, ...diagnostics] };
}

/** Returns the type of a hook that needs a callback. Undefined if another executor runs the hook. */
function hostType({ action, executor = 'host' }: HookDefinition): string | undefined {
  return action.kind === 'host' && executor === 'host' ? action.type : undefined;
}

function missingCallback(type: string, hook: HookDefinition): Diagnostic {
  return {
    code: 'unknown_type',
    severity: 'error',
    message: `The hook does not run: hooks of the type ${JSON.stringify(type)} need a callback of the host, and this host has none.`,
    remedy: `In the host, pass createHooks({ callbacks: { ${type} } }).`,
    ...placeOfHook(hook),
  };
}

function elsewhere(type: string, hook: HookDefinition): Diagnostic {
  return {
    code: 'unknown_type',
    severity: 'note',
    message: `The command line cannot run hooks of the type ${JSON.stringify(type)}; an agent can.`,
    remedy: 'There is nothing to change.',
    ...placeOfHook(hook),
  };
}
