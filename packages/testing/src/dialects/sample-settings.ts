import {
  type Dialect,
  type DialectContext,
  type HookDefinition,
  type HookEventName,
  hookEventNames,
  type ParsedDocument,
  type SettingsDocument,
} from '@tenterhook/protocol';
import type { DialectConformanceOptions, DialectEvent, DialectScene, SampleHook } from './dialect-case.js';
import { ownFields, projectDir } from './sample-inputs.js';
import { fileDocument, givenDocument } from './settings-document.js';

const noFiles = { isFile: () => false, isExecutable: () => false, head: () => undefined };

/** A machine with nothing on it. */
export const emptyMachine: DialectContext = { projectDir, home: '', environment: {}, platform: 'linux', files: noFiles };

export const usualMachine: DialectContext = {
  ...emptyMachine,
  home: '/home/u',
  environment: { HOME: '/home/u', PATH: '/usr/bin:/bin' },
};

export const settingsFile = `${projectDir}/settings-of-the-suite.json`;

/** The events of a dialect: each under the first of its spellings, and behind all of them under others that the options name. */
export function eventsOf(dialect: Dialect, options: DialectConformanceOptions): DialectEvent[] {
  const spellings = Object.entries(dialect.events ?? Object.fromEntries(hookEventNames.map((name) => [name, name])));
  const all = hookEventNames.flatMap((eventName) =>
    spellings.flatMap(([dialectEvent, canonical]) => (canonical === eventName ? [{ eventName, dialectEvent }] : [])),
  );
  const first = all.filter((event, index) => event.eventName !== all[index - 1]?.eventName);
  const others = all.filter((event) => !first.includes(event) && ownFields(options.eventFields, event.dialectEvent) !== undefined);
  return [...first, ...others].filter((event) => options.settings([sampleHook(event, 0)]) !== undefined);
}

/** That of the sample answers, as the first of its spellings. */
export function answersEventOf(events: readonly DialectEvent[], { answers }: DialectConformanceOptions): DialectEvent | undefined {
  return events.find(({ eventName }) => eventName === answers.eventName);
}

/** A quiet hook; the number makes its name, and its command is one that no other text of the settings holds. */
export function sampleHook(event: DialectEvent, number: number, more: Partial<SampleHook> = {}): SampleHook {
  const name = `h${String(number).padStart(4, '0')}`;
  return { ...event, name, command: `printf %s of-${name} >&2`, ...more };
}

/** Two hooks of each event, one of which says all that can be said of a hook. */
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

/** As a file would hold them: what is undefined in them is not there. */
export function settingsOf(options: DialectConformanceOptions, hooks: readonly SampleHook[]): unknown {
  const settings = options.settings(hooks);
  if (settings !== undefined) return JSON.parse(JSON.stringify(settings));
  const events = [...new Set(hooks.map((hook) => hook.eventName))].join(', ');
  throw new TypeError(`settings() gave undefined for hooks of ${events}, of which it gave settings before`);
}

/** The document as a file of the project, where nothing else is said. */
export function parse(
  { dialect, violations }: DialectScene,
  what: string,
  value: unknown,
  document: SettingsDocument = fileDocument(value, 'project', settingsFile),
  machine = usualMachine,
): ParsedDocument | undefined {
  return violations.attempt(`parse() of ${what}`, () => dialect.parse(document, machine))?.value;
}

/** Hooks of the sample as they are handed to a system: the document has no file, and none is known not to run. */
export function hooksOf(scene: DialectScene, hooks: readonly SampleHook[]): readonly HookDefinition[] {
  const value = settingsOf(scene.options, hooks);
  const parsed = parse(scene, 'the sample settings', value, givenDocument(value));
  // Whoever has handed a hook over does not change it any more, and neither does who is asked about it.
  return parsed?.hooks.filter(runs).map((hook) => Object.freeze(hook)) ?? [];
}

export function runs({ skip }: HookDefinition): boolean {
  return skip === undefined;
}

/** By its command, because not every format has names. */
export function isHookOf({ action }: HookDefinition, command: string): boolean {
  return JSON.stringify(action).includes(command);
}
