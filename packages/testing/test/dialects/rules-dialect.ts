import {
  type Decoded,
  type DiagnosticCode,
  type Dialect,
  eventEntry,
  type HookDefinition,
  type HookEventName,
  hookIdOf,
  isHookEventName,
  type ParsedDocument,
  type ReadableExit,
  type SettingsDocument,
} from '@tenterhook/protocol';
import { hookLabel } from '@tenterhook/protocol/internal';
import { isPlainObject, pathText } from '@tenterhook/runtime/json';

const defaultSeconds = 30;

/**
 * A format that differs from LLxprt's and ECA's, and leaves out everything that a dialect may leave out: `{ "rules": [{ "on", "run",
 * "seconds" }] }`. Its hooks have no names and no matchers, and timeouts are in seconds. There is no `allow`, and exit code 10 blocks.
 * `events` may give several names to one event.
 */
export function rules(events?: Readonly<Record<string, HookEventName>>): Dialect {
  return {
    name: 'rules',
    ...(events === undefined ? {} : { events }),
    locations: ({ projectDir }) => [{ source: 'project', file: `${projectDir}/rules.json`.replace('//', '/') }],
    claims: (file) => (/[\\/]rules\.json$/.test(file) ? {} : undefined),
    parse: (document) => parse(document, events),
    layOut: (hooks) => hooks.map((hook) => ({ hooks: [hook] })),
    select: (_hook, { eventName }) => ({ run: true, reason: `it runs on every ${eventName}` }),
    invocation: ({ input }, { action }, environment) => ({
      kind: 'command',
      command: { kind: 'shell', text: (action as { command: string }).command },
      cwd: input.cwd,
      env: environment,
      stdin: JSON.stringify(input),
    }),
    decode,
  };
}

function parse(document: SettingsDocument, events?: Readonly<Record<string, HookEventName>>): ParsedDocument {
  const { value, source, file } = document;
  const diagnostics: ParsedDocument['diagnostics'][number][] = [];
  const report = (code: DiagnosticCode, path: readonly (string | number)[], message: string) => {
    const place = { source, dialect: 'rules', ...(file === undefined ? {} : { file }), ...document.locate(path) };
    diagnostics.push({ code, severity: 'error', message, path: pathText(path), ...place });
    return message;
  };
  if (!isPlainObject(value)) {
    report('invalid_document', [], 'The settings are not an object.');
    return { hooks: [], diagnostics, isUnusable: true };
  }
  const { rules: list = [] } = value;
  if (!Array.isArray(list)) {
    report('invalid_document', ['rules'], 'The rules are not a list.');
    return { hooks: [], diagnostics, isUnusable: true };
  }
  const hooks = list.flatMap((rule: unknown, index): HookDefinition[] => {
    const path = ['rules', index];
    const { on, run, seconds = defaultSeconds } = isPlainObject(rule) ? rule : {};
    const eventName = eventOf(on, events);
    if (typeof on !== 'string' || eventName === undefined) {
      report('unknown_event', path, 'The rule is for no event; it does not run.');
      return [];
    }
    const isCommand = typeof run === 'string' && run.trim() !== '';
    const reason = isCommand ? undefined : report('missing_command', path, 'The rule runs nothing.');
    const isTime = typeof seconds === 'number' && seconds >= 1 && seconds < 1e6;
    if (!isTime) report('invalid_timeout', [...path, 'seconds'], `Not a number of seconds. Using ${defaultSeconds}.`);
    return [
      {
        id: hookIdOf('rules', source, eventName, String(index)),
        ...{ dialect: 'rules', source, eventName, dialectEvent: on },
        ...(file === undefined ? {} : { file }),
        timeoutMs: (isTime ? seconds : defaultSeconds) * 1000,
        onError: 'continue',
        action: { kind: 'command', command: isCommand ? run : '' },
        ...(reason === undefined ? {} : { skip: { skipReason: 'invalid', reason } }),
        dialectData: undefined,
      },
    ];
  });
  return { hooks, diagnostics };
}

function eventOf(on: unknown, events?: Readonly<Record<string, HookEventName>>): HookEventName | undefined {
  if (events === undefined) return isHookEventName(on) ? on : undefined;
  return typeof on === 'string' && Object.hasOwn(events, on) ? events[on] : undefined;
}

function decode(exit: ReadableExit, { eventName }: { readonly eventName: HookEventName }, hook: HookDefinition): Decoded {
  if (exit.kind !== 'exited') return { failure: { code: 'internal_error', message: 'A rule is a command.' }, warnings: [] };
  const denies = (reason: string): Decoded => {
    const warning = { code: 'no_effect' as const, message: `${eventName} cannot be blocked.` };
    return eventEntry(eventName).may.block === false ? { warnings: [warning] } : { output: { decision: 'deny', reason }, warnings: [] };
  };
  if (exit.exitCode === 10) return denies(exit.stderr.trim() || `${hookLabel(hook)} blocked.`);
  if (exit.exitCode !== 0)
    return { failure: { code: 'exit_code', message: `${hookLabel(hook)} exited with ${exit.exitCode}.` }, warnings: [] };
  if (exit.stdoutTruncated) return { failure: { code: 'output_truncated', message: `${hookLabel(hook)} said too much.` }, warnings: [] };
  if (exit.stdout.trim() === '') return { warnings: [] };
  const answer = objectIn(exit.stdout);
  if (answer === undefined) return { warnings: [{ code: 'not_an_object', message: `${hookLabel(hook)} printed no object.` }] };
  const { verdict, why } = answer;
  if (verdict === 'no') return denies(typeof why === 'string' ? why : `${hookLabel(hook)} said no.`);
  return { warnings: verdict === undefined ? [] : [{ code: 'wrong_type', message: 'verdict is "no", or left out.' }] };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
