import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { AggregatedHookResult, HookEventName } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import type { Scene } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { root } from '../../support/sources.js';
import { until } from '../../support/until.js';

/** Hooks of one author: a folder of this directory with `project`, `home` and at most one plugin or extension, and what they must do. */
export interface Collection {
  readonly folder: string;
  readonly dialect: 'claude-code' | 'gemini-cli' | 'eca' | 'llxprt';
  /** The folder of a plugin or an extension, next to `project` and `home`. */
  readonly extension?: string;
  /** The codes of the problems that `validate` must report. @default none */
  readonly problems?: readonly string[];
  readonly calls: readonly Call[];
}

/** An event with its fields. In texts, `{project}`, `{home}` and `{plugin}` are the paths of the copied folders. */
export interface Call {
  readonly title: string;
  readonly event: HookEventName;
  readonly input: Readonly<Record<string, unknown>>;
  /** Files that exist before the call: text by path, such as `project/src/a.ts`. */
  readonly given?: Readonly<Record<string, string>>;
  readonly expected: Expected;
}

/** What is not listed must not happen: a field that is missing here must be missing in the result. `files` are those that matter. */
export interface Expected {
  /** How many hooks run. */
  readonly ran: number;
  /** @default 'none' */
  readonly decision?: 'deny' | 'ask' | 'allow' | 'none';
  readonly reason?: string;
  /** The reason of a stop. */
  readonly stop?: string;
  /** The text for the model. */
  readonly context?: string;
  /** The text for the user. */
  readonly message?: string;
  /** The values after rewrites, by path. */
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Other fields of `hookSpecificOutput`. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Codes of warnings about what hooks printed and how they ended. */
  readonly warnings?: readonly string[];
  /** Texts of files afterwards, also of those that a process in the background writes. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Copies the folders of a collection to fresh places. */
export function withCollection<Result>({ folder }: Collection, use: (places: Places) => Promise<Result>): Promise<Result> {
  return withPlaces((places) => {
    cpSync(join(root, 'test/formats/everyday-hooks', folder), places.at('.'), { recursive: true });
    return use(places);
  });
}

/** The options with which an agent loads the hooks of a collection. */
export function optionsOf({ extension }: Collection, places: Places): CreateHooksOptions {
  return {
    trust: 'all',
    ...(extension === undefined ? {} : { extensions: [{ name: extension, directory: places.at(extension) }] }),
    // Some hooks leave processes behind, which must end with the system.
    limits: {},
  };
}

/** Replaces the names of places in all texts of a value. */
export function placed<Value>(value: Value, places: Places, { extension = '' }: Collection): Value {
  const paths: Readonly<Record<string, string>> = { project: places.project, home: places.home, plugin: places.at(extension) };
  const text = JSON.stringify(value).replace(/\{(project|home|plugin)\}/g, (_, name: string) => paths[name] ?? '');
  return JSON.parse(text);
}

/** Fires the event of a call, and returns what happened, in the form of `Expected`. */
export async function observe(call: Call, places: Places, { handler }: Scene): Promise<Expected> {
  for (const [file, text] of Object.entries(call.given ?? {})) places.write(file, text);
  const result = await handler.fire(call.event, call.input);
  const files = call.expected.files ?? {};
  for (const [file, text] of Object.entries(files)) {
    await until(`${file} contains ${JSON.stringify(text)}, and is ${JSON.stringify(places.read(file))}`, () => places.read(file) === text);
  }
  return { ...summary(result), ...(call.expected.files === undefined ? {} : { files }) };
}

function summary({ verdict, outcomes, finalOutput, changes }: AggregatedHookResult): Expected {
  const { hookEventName: _, additionalContext: context, userMessage, ...specific } = finalOutput?.hookSpecificOutput ?? {};
  const changed = Object.fromEntries(changes.map(({ path, after }) => [path, after]));
  const hooksThatRan = outcomes.filter(({ status }) => status !== 'skipped');
  const warnings = hooksThatRan.flatMap((outcome) => outcome.warnings.map(({ code }) => code));
  // `changes` has the values that these fields wrote.
  const rewritten = new Set(['updatedToolOutput', 'replacedPrompt', ...changes.map(({ path }) => path.split('.')[0])]);
  const fields = Object.fromEntries(Object.entries(specific).filter(([name]) => !rewritten.has(name)));
  const seen = {
    decision: verdict.kind === 'none' ? undefined : verdict.kind,
    reason: verdict.reason,
    stop: verdict.stop ? (verdict.stopReason ?? '') : undefined,
    context,
    message: finalOutput?.systemMessage ?? userMessage,
    changes: orNothing(changed),
    fields: orNothing(fields),
    warnings: warnings.length === 0 ? undefined : warnings,
  };
  const present = Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined));
  // A hook that is asked again after a rewrite counts once.
  const ran = new Set(hooksThatRan.map(({ hookId }) => hookId));
  return { ran: ran.size, ...present };
}

function orNothing(fields: Readonly<Record<string, unknown>>) {
  return Object.keys(fields).length === 0 ? undefined : fields;
}
