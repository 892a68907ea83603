import {
  type Dialect,
  type DialectContext,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  hookEventNames,
  type ParsedDocument,
  type SettingsDocument,
} from '@tenterhook/protocol';
import { freezeDeeply, isPlainObject } from '@tenterhook/runtime/json';
import type { DialectConformanceOptions, DialectEvent, DialectScene, SampleHook } from './dialect-case.js';

export const projectDir = '/srv/app';

/** Returns the fields of the event. `text` is used for every field in which an agent, a user or a model may have written text. */
export function sampleFields(eventName: HookEventName, text = 'hello'): Record<string, unknown> {
  return structuredClone(fieldsOf(text)[eventName]);
}

/** Returns fields of an event with which hooks of this name run. */
export function fieldsOn({ eventFields }: DialectConformanceOptions, event: DialectEvent, text = 'hello'): Record<string, unknown> {
  const own = ownFields(eventFields, event.dialectEvent)?.(text);
  // Copied, because the result is frozen, and the caller may return the same fields again.
  return { ...sampleFields(event.eventName, text), ...structuredClone(own) };
}

/**
 * Returns the fields of an event from the options. Only own properties are read, because an event may have the name of an inherited
 * property.
 */
export function ownFields(
  fields: DialectConformanceOptions['eventFields'] = {},
  dialectEvent: string,
): ((text: string) => Readonly<Record<string, unknown>>) | undefined {
  return Object.hasOwn(fields, dialectEvent) ? fields[dialectEvent] : undefined;
}

/** Returns an event as dialects receive it: complete, and frozen at every level. */
export function sampleEvent(eventName: HookEventName, fields: Record<string, unknown> = sampleFields(eventName)): HookEvent {
  const base = {
    session_id: 's1',
    transcript_path: '',
    cwd: projectDir,
    hook_event_name: eventName,
    timestamp: '2026-11-21T10:00:00.000Z',
  };
  return freezeDeeply({ eventName, input: { ...base, ...fields }, projectDir });
}

const samples = Object.fromEntries(hookEventNames.map((eventName) => [eventName, eventEntry(eventName).sample])) as Record<
  HookEventName,
  Readonly<Record<string, unknown>>
>;

/** The fields of each event. An event without an entry has those of its sample in the catalogue. */
function fieldsOf(text: string): Record<HookEventName, Readonly<Record<string, unknown>>> {
  const call = { tool_name: 'write_file', tool_input: { path: 'a.txt', content: text, nested: { maxDepth: [1, null, { [text]: text }] } } };
  const llm_request = { model: 'm', messages: [{ role: 'user', content: text }], config: { temperature: 0 } };
  const llm_response = { text, candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] };
  return {
    ...samples,
    BeforeTool: { ...call },
    AfterTool: { ...call, tool_response: { llmContent: text, returnDisplay: text } },
    BeforeAgent: { prompt: text },
    AfterAgent: { prompt: text, prompt_response: text, stop_hook_active: false },
    BeforeModel: { llm_request },
    AfterModel: { llm_request, llm_response },
    BeforeToolSelection: { llm_request },
    SessionStart: { source: 'startup' },
    SessionEnd: { reason: 'exit' },
    PreCompress: { trigger: 'manual' },
    Notification: { notification_type: 'ToolPermission', message: text, details: { text } },
    HostStart: {},
    HostEnd: {},
    PermissionRequest: { ...call },
    PermissionDenied: { ...call, tool_use_id: 't1', reason: text },
    PostToolBatch: { tool_calls: [{ ...call, tool_use_id: 't1', tool_response: text }] },
    UserPromptExpansion: { command_name: 'review', command_args: text, expansion_type: 'slash_command', prompt: text },
    MessageDisplay: { turn_id: 'u1', message_id: 'm1', index: 0, final: true, delta: text },
    StopFailure: { error: 'rate_limit', error_details: text },
    SubagentStart: { agent_id: 'a1', agent_type: 'explore' },
    SubagentStop: { agent_id: 'a1', agent_type: 'explore', stop_hook_active: false, last_assistant_message: text },
    TaskCreated: { task_id: '7', task_subject: text },
    TaskCompleted: { task_id: '7', task_subject: text },
    TeammateIdle: { teammate_name: 'ada', team_name: text },
    PostCompress: { trigger: 'manual', compact_summary: text },
    Setup: { trigger: 'init' },
    ConfigChange: { source: 'user_settings', file_path: '/srv/settings.json' },
    InstructionsLoaded: { file_path: '/srv/AGENTS.md', memory_type: 'Project', load_reason: text },
    CwdChanged: { old_cwd: '/srv', new_cwd: '/srv/app' },
    DirectoryAdded: { directory: '/srv/lib', source: text },
    FileChanged: { file_path: '/srv/app/.env', event: 'change' },
    WorktreeCreate: { name: text },
    WorktreeRemove: { worktree_path: '/srv/fix-7' },
    Elicitation: { mcp_server_name: 'github', message: text, requested_schema: { type: 'object' } },
    ElicitationResult: { mcp_server_name: 'github', action: 'accept', content: { [text]: text } },
    PreModelSwitch: { from_model: 'm', to_model: 'm-2', source: 'command' },
    PostModelSwitch: { from_model: 'm', to_model: 'm-2', source: 'command' },
  };
}

const noFiles = { isFile: () => false, isExecutable: () => false, head: () => undefined };

export const emptyMachine: DialectContext = { projectDir, home: '', environment: {}, platform: 'linux', files: noFiles };

export const usualMachine: DialectContext = {
  ...emptyMachine,
  home: '/home/u',
  environment: { HOME: '/home/u', PATH: '/usr/bin:/bin' },
};

export const settingsFile = `${projectDir}/settings-of-the-suite.json`;

/** Returns the events of a dialect. Each canonical event has its first name. Other names from the options follow. */
export function eventsOf(dialect: Dialect, options: DialectConformanceOptions): DialectEvent[] {
  const spellings = Object.entries(dialect.events ?? Object.fromEntries(hookEventNames.map((name) => [name, name])));
  const all = hookEventNames.flatMap((eventName) =>
    spellings.flatMap(([dialectEvent, canonical]) => (canonical === eventName ? [{ eventName, dialectEvent }] : [])),
  );
  const first = all.filter((event, index) => event.eventName !== all[index - 1]?.eventName);
  const others = all.filter((event) => !first.includes(event) && ownFields(options.eventFields, event.dialectEvent) !== undefined);
  return [...first, ...others].filter((event) => options.settings([sampleHook(event, 0)]) !== undefined);
}

/** Returns the event of the sample answers. If it has several names, the result has the first one. */
export function answersEventOf(events: readonly DialectEvent[], { answers }: DialectConformanceOptions): DialectEvent | undefined {
  return events.find(({ eventName }) => eventName === answers.eventName);
}

/** Returns a hook that prints nothing on stdout. The number is in its name and its command, so both are unique in the settings. */
export function sampleHook(event: DialectEvent, number: number, more: Partial<SampleHook> = {}): SampleHook {
  const name = `h${String(number).padStart(4, '0')}`;
  return { ...event, name, command: `printf %s of-${name} >&2`, ...more };
}

/** Returns two hooks for each event. One of them sets every field of a hook. */
export function sampleHooks({ events, options }: DialectScene): SampleHook[] {
  return events.flatMap((event, index) => {
    const matcher = hasMatcher(event.eventName) ? matchersOf(options)[0] : undefined;
    const more = { timeoutMs: 5000, ...(matcher === undefined ? {} : { matcher }) };
    return [sampleHook(event, 2 * index, more), sampleHook(event, 2 * index + 1)];
  });
}

export function hasMatcher(eventName: HookEventName): boolean {
  return eventName === 'BeforeTool' || eventName === 'AfterTool';
}

const usualMatchers = ['write_file', 'eca__write_file', '.*file', 'a__.*', 'mcp__a__.*', '.*search', 'a', '^b$', 'search'];

export function matchersOf({ matchers = usualMatchers }: DialectConformanceOptions): readonly string[] {
  return matchers;
}

/** Returns the settings as JSON, without undefined fields. */
export function settingsOf(options: DialectConformanceOptions, hooks: readonly SampleHook[]): unknown {
  const settings = options.settings(hooks);
  if (settings !== undefined) return JSON.parse(JSON.stringify(settings));
  const events = [...new Set(hooks.map((hook) => hook.eventName))].join(', ');
  throw new TypeError(`settings() returned undefined for hooks of ${events}, for which it returned settings before`);
}

/** Parses a document. @default the document is a file of the project */
export function parse(
  { dialect, violations }: DialectScene,
  what: string,
  value: unknown,
  document: SettingsDocument = fileDocument(value, 'project', settingsFile),
  machine = usualMachine,
): ParsedDocument | undefined {
  return violations.attempt(`parse() of ${what}`, () => dialect.parse(document, machine))?.value;
}

/**
 * Returns the hooks of sample settings as a system receives them. The settings are not in a file, and hooks with a `skip` are left
 * out.
 */
export function hooksOf(scene: DialectScene, hooks: readonly SampleHook[]): readonly HookDefinition[] {
  const value = settingsOf(scene.options, hooks);
  const parsed = parse(scene, 'the sample settings', value, givenDocument(value));
  // Frozen, because a dialect that changes a hook then throws.
  return parsed?.hooks.filter(runs).map((hook) => Object.freeze(hook)) ?? [];
}

export function runs({ skip }: HookDefinition): boolean {
  return skip === undefined;
}

/** Finds a hook by its command, because some formats have no names. */
export function isHookOf({ action }: HookDefinition, command: string): boolean {
  return JSON.stringify(action).includes(command);
}

export interface FileDocument extends SettingsDocument {
  readonly file: string;
  readonly text: string;
  /** The lines that locate() has returned until now. */
  readonly located: ReadonlySet<number>;
}

/**
 * Returns a document with each entry on its own line. The position of a missing path is the position of its nearest existing
 * parent.
 */
export function fileDocument(value: unknown, source: string, file: string): FileDocument {
  const located = new Set<number>();
  const locate = (path: readonly (string | number)[]) => {
    const place = placeOf(value, path);
    located.add(place.line);
    return place;
  };
  return { source, file, value, text: JSON.stringify(value, null, 2), located, locate };
}

/** Returns a document for settings that were passed as an object. It has no file and no lines. */
export function givenDocument(value: unknown, source = 'settings'): SettingsDocument {
  return { source, value, locate: () => undefined };
}

function placeOf(value: unknown, path: readonly (string | number)[]): { line: number; column: number } {
  let [node, line, depth] = [value, 1, 0];
  for (const step of path) {
    const entries = entriesOf(node);
    const index = entries.findIndex(([key]) => key === step);
    const entry = entries[index];
    if (entry === undefined) break;
    line += 1 + entries.slice(0, index).reduce((lines, [, before]) => lines + linesOf(before), 0);
    [node, depth] = [entry[1], depth + 1];
  }
  return { line, column: 1 + 2 * depth };
}

/**
 * Returns the number of lines that JSON.stringify writes: one for each entry and each bracket. An empty list or object takes one
 * line.
 */
function linesOf(value: unknown): number {
  const entries = entriesOf(value);
  return entries.length === 0 ? 1 : entries.reduce((lines, [, item]) => lines + linesOf(item), 2);
}

function entriesOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isPlainObject(value) ? Object.entries(value) : [];
}
