import type { Diagnostic, DiagnosticCode } from '@tenterhook/protocol';
import type { RegisteredHook } from '../registered-hook.js';
import { handlerSourceName, handlersDialectName } from './handlers-dialect.js';

/** What its author should know of a hook that is registered and does not do what it says. */
export function diagnosticsOf({ hook, matcher, handler }: RegisteredHook): Diagnostic[] {
  const found: Diagnostic[] = [];
  const { tool, command_pattern: command } = hook.matcher ?? {};
  if (matcher.impossible !== undefined) {
    const remedy = 'Take tool, path_pattern and command_pattern out of its matcher, or register it for pre_tool_use or post_tool_use.';
    found.push(warning('unmatched_matcher', `Hook "${hook.id}": ${matcher.impossible}.`, remedy));
  }
  if (typeof tool === 'string' && /[*?|^$()[\]]/.test(tool)) {
    const message = `Hook "${hook.id}" is for the tool ${JSON.stringify(tool)}, and a tool is its exact name: no pattern, and no list.`;
    found.push(warning('unmatched_matcher', message, 'Register a hook for each tool; several may have one handler.'));
  }
  if (typeof command === 'string' && /^\/.*\/[a-z]*$/.test(command)) {
    const message = `Hook "${hook.id}" has the command_pattern ${JSON.stringify(command)}, whose slashes are taken for slashes of the command.`;
    found.push(warning('unmatched_matcher', message, 'Write the expression without them; (?i) at its beginning ignores case.'));
  }
  if (hook.config.async_execution && hook.config.onError === 'block') {
    const message = `Hook "${hook.id}" has async_execution, so nobody waits for it, and its onError "block" can block nothing.`;
    found.push(warning('invalid_hook', message, 'Leave one of the two out.'));
  }
  if (handler === undefined) found.push(missingHandler(`No handler is registered for the hook "${hook.id}": it does nothing.`, hook.id));
  return found;
}

export function missingHandler(message: string, id: string): Diagnostic {
  return warning('missing_handler', message, `Call register_handler("${id}", …) with the id of the hook, or unregister it.`);
}

function warning(code: DiagnosticCode, message: string, remedy: string): Diagnostic {
  return { code, severity: 'warning', message, remedy, dialect: handlersDialectName, source: handlerSourceName };
}
