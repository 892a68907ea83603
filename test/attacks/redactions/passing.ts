import { callModelWithHooks, createHookClient, executeToolWithHooks, genAiTranslator } from '@tenterhook/agent';
import type { HookOutcome } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import type { Scene } from '../../support/fire-hooks.js';
import { formats } from '../../support/formats.js';
import type { Places } from '../../support/places.js';
import { withLevels } from '../levels/places.js';

/** Replaces a text in the data of the event, as a hook does that takes a secret out. Without the text it prints nothing. */
export const script = `
import { readFileSync, writeFileSync } from 'node:fs';
const [name, field, shown, from, to] = process.argv.slice(2);
const event = JSON.parse(readFileSync(0, 'utf8'));
const data = JSON.stringify(event[shown]);
writeFileSync(name + '.saw', data + '\\n', { flag: 'a' });
if (data.includes(from)) {
  const hookSpecificOutput = { hookEventName: event.hook_event_name, [field]: JSON.parse(data.replaceAll(from, to)) };
  console.log(JSON.stringify({ hookSpecificOutput }));
}`;

export type Format = 'llxprt' | 'gemini-cli' | 'claude-code';
export type Settings = Readonly<Record<string, unknown>>;

/** What of an event hooks rewrite, and how one format calls it. */
export interface Place {
  readonly format: Format;
  readonly event: string;
  readonly field: string;
  readonly shown: string;
}

export const places: readonly Place[] = [
  ...(['llxprt', 'gemini-cli'] as const).flatMap((format) => [
    { format, event: 'BeforeModel', field: 'llm_request', shown: 'llm_request' },
    { format, event: 'AfterModel', field: 'llm_response', shown: 'llm_response' },
  ]),
  { format: 'claude-code', event: 'PostToolUse', field: 'updatedToolOutput', shown: 'tool_response' },
];

/** The answer of a model in Gemini CLI's format, and the result of a tool in Claude Code's. */
export const [, , , ofGeminiAnswer, ofResult] = places as [Place, Place, Place, Place, Place];

/** A hook that replaces one text by another, and keeps what it was shown in `<name>.saw`. */
export const replaces = (name: string, { field, shown }: Place, from: string, to: string) =>
  `node "$HOME"/replace.mjs ${name} ${field} ${shown} '${from}' '${to}'`;

export function settingsOf({ format, event }: Pick<Place, 'format' | 'event'>, ...commands: string[]): Settings {
  const hooks = commands.map((command) => ({ type: 'command', command }));
  return { ...(format === 'llxprt' ? { tools: { enableHooks: true } } : {}), hooks: { [event]: [{ hooks }] } };
}

const text = 'please use sk-one and pw-two';

export interface Passed {
  /** What the model was sent, what it answered to the agent, and what the tool gave: all that must not have a secret. */
  readonly passed: string;
  readonly outcomes: readonly HookOutcome[];
  readonly read: Scene['read'];
}

/** Sends a request with secrets to a model that repeats them, or calls a tool that does. */
async function passing(scene: Scene, event: string): Promise<Passed> {
  const client = createHookClient(scene.hooks, { onUnavailable: 'deny' });
  if (event === 'PostToolUse' || event === 'AfterTool') {
    const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: {}, execute: () => ({ llmContent: text }) });
    return { passed: JSON.stringify(call.result), outcomes: call.after?.outcomes ?? [], read: scene.read };
  }
  let sent: unknown;
  const call = await callModelWithHooks(client, {
    request: { model: 'm', contents: [{ role: 'user', parts: [{ text: event === 'BeforeModel' ? text : 'hello' }] }] },
    translator: genAiTranslator(),
    call: (request) => {
      sent = request;
      return { candidates: [{ content: { role: 'model', parts: [{ text: event === 'AfterModel' ? text : 'fine' }] } }] };
    },
  });
  const { outcomes } = (event === 'BeforeModel' ? call.before : call.after) ?? { outcomes: [] };
  return { passed: JSON.stringify([sent, call.response]), outcomes, read: scene.read };
}

export function withRedactions(
  write: (at: Places) => CreateHooksOptions | undefined,
  event: string,
  use: (result: Passed) => void,
): Promise<void> {
  return withLevels(async (at, discover) => {
    at.write('home/replace.mjs', script);
    const options = write(at);
    await discover(async (scene) => use(await passing(scene, event)), options);
  });
}

/** Commands of the hooks of one event, at two levels. Those of the project may be in another format. */
export interface Levels {
  readonly event: string;
  readonly format: Format;
  readonly user: readonly string[];
  readonly project?: readonly string[];
  readonly projectFormat?: Format;
  readonly fields?: Settings;
}

/** Runs the hooks of the user beside, or before, those of the project. */
export function withTwoLevels(
  { event, format, user, project = [], projectFormat = format, fields = {} }: Levels,
  use: (result: Passed) => void,
): Promise<void> {
  const settings = (at: Format, commands: readonly string[], more: Settings = {}) => {
    const named = at === 'claude-code' || event !== 'PostToolUse' ? event : 'AfterTool';
    const written = settingsOf({ format: at, event: named }, ...commands) as { hooks: Record<string, { hooks: object[] }[]> };
    const hooks = Object.entries(written.hooks).map(([name, groups]) => [
      name,
      groups.map((group) => ({ hooks: group.hooks.map((hook) => ({ ...hook, ...more })) })),
    ]);
    return { ...written, hooks: Object.fromEntries(hooks) };
  };
  const write = (at: Places) => {
    at.write(formats[format].user, settings(format, user, fields));
    if (project.length > 0) at.write(formats[projectFormat].project, settings(projectFormat, project));
    return undefined;
  };
  return withRedactions(write, event, use);
}

export const agains = (outcomes: readonly HookOutcome[]) =>
  outcomes.filter(({ recheck }) => recheck).map(({ level, status }) => [level, status]);
export const sawOf = ({ read }: Passed, name: string) => (read(`${name}.saw`) ?? '').trim().split('\n');
