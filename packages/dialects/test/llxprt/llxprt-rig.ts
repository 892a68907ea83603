import type {
  Decoded,
  HookDefinition,
  HookEvent,
  HookEventName,
  ParsedSettings,
  ReadableExit,
  SettingsDocument,
} from '@tenterhook/protocol';
import { llxprt } from '../../src/index.js';
import { parse } from '../../src/llxprt/parse.js';

export const dialect = llxprt();

/** Settings as read from a file; every path stands on the line that is its length, so that a lost place shows. */
export function documentOf(value: unknown, source = 'project', file: string | undefined = `/srv/${source}.json`): SettingsDocument {
  return { source, value, ...(file === undefined ? {} : { file }), locate: (path) => ({ line: path.length + 1, column: 1 }) };
}

export function parsed(value: unknown, source?: string): ParsedSettings {
  const document = documentOf(value, source);
  return { source: document.source, ...(document.file === undefined ? {} : { file: document.file }), ...parse(document, 'llxprt') };
}

/** The hooks of one group of BeforeTool. */
export function hooksOf(hooks: readonly unknown[], group: Record<string, unknown> = {}): readonly HookDefinition[] {
  return parsed({ hooks: { BeforeTool: [{ ...group, hooks }] } }).hooks;
}

export function hookOf(fields: Record<string, unknown> = {}, eventName: HookEventName = 'BeforeTool'): HookDefinition {
  const hook = parsed({ hooks: { [eventName]: [{ hooks: [{ command: './guard.sh', ...fields }] }] } }).hooks[0];
  if (hook === undefined) throw new Error('the hook was not parsed');
  return hook;
}

export function eventOf(eventName: HookEventName, fields: Record<string, unknown> = {}): HookEvent {
  const base = {
    session_id: 's1',
    transcript_path: '',
    cwd: '/srv/app',
    hook_event_name: eventName,
    timestamp: '2026-11-21T10:00:00.000Z',
  };
  return { eventName, input: { ...base, ...fields }, projectDir: '/srv/app' };
}

export interface Printed {
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly stdoutTruncated?: boolean;
}

export function exitOf({ exitCode = 0, stdout = '', stderr = '', stdoutTruncated = false }: Printed): ReadableExit {
  const sizes = {
    stdoutBytes: stdout.length,
    stderrBytes: stderr.length,
    stdoutTruncated,
    stderrTruncated: false,
    invalidUtf8: false,
  };
  return { kind: 'exited', exitCode, durationMs: 1, leftProcesses: 0, stdout, stderr, ...sizes };
}

/** What an exit of a hook named "guard" means. */
export function decoded(printed: Printed, eventName: HookEventName = 'BeforeTool'): Decoded {
  return dialect.decode(exitOf(printed), eventOf(eventName), hookOf({ name: 'guard' }, eventName));
}

export function codesOf(entries: readonly { readonly code: string }[]): string[] {
  return entries.map((entry) => entry.code);
}
