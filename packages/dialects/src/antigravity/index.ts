import type { Dialect, HookDefinition, Stage } from '@tenterhook/protocol';
import { createDecode } from './answers/decode.js';
import { canonicalEvents, isAntigravityEvent } from './input/event-table.js';
import { invocation } from './input/invocation.js';
import { writeFields } from './input/payload.js';
import { readInput } from './input/read-input.js';
import { misplacedFiles } from './lint/misplaced.js';
import { select } from './matching/select.js';
import { type AntigravityOptions, parseOptions } from './options.js';
import { dataOf } from './settings/hook-data.js';
import { claims, locations, starter } from './settings/locations.js';
import { eventsIn, parse } from './settings/parse.js';
import { antigravitySettingsJsonSchema } from './settings/schema.js';

export type { AntigravityOptions } from './options.js';

const name = 'antigravity';

/**
 * Returns the dialect of the hooks of Google Antigravity: its app, its editor, and its command line `agy`. Its settings have named groups of
 * hooks, and a hook before a tool denies unless it prints a valid answer or nothing. Throws a TypeError for invalid options.
 */
export function antigravity(options: AntigravityOptions = {}): Dialect {
  const host = parseOptions(options);
  const hostOf = (hook: HookDefinition) => host.at(dataOf(hook).home);
  return {
    name,
    agent: 'Antigravity',
    agentVariables: ['ANTIGRAVITY_CONVERSATION_ID', 'ANTIGRAVITY_AGENT'],
    events: canonicalEvents,
    eventsIn,
    settingsJsonSchema: antigravitySettingsJsonSchema,
    starter,
    locations,
    lookalikes: misplacedFiles,
    claims,
    timeoutUnit: 's',
    parse: (document, context) => parse(document, context, host, name),
    layOut,
    select: (hook, event) => select(hook, event, hostOf(hook)),
    invocation: (event, hook, environment) => invocation(event, hook, environment, hostOf(hook)),
    decode: createDecode(hostOf),
    writeInput: (event, hookEvent) => (isAntigravityEvent(event) ? writeFields(hookEvent, event, host) : hookEvent.input),
    readInput: (event, input) => readInput(event, input, host),
  };
}

/** Antigravity runs hooks one after another, in the order of the settings. After a deny, the others do not run. */
function layOut(hooks: readonly HookDefinition[]): Stage[] {
  return hooks.map((hook) => ({ hooks: [hook] }));
}
