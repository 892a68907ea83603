import type { Dialect, HookDefinition } from '@tenterhook/protocol';
import { layOutTogether } from '../shared/name-matcher.js';
import { createDecode } from './answers/decode.js';
import { canonicalEvents, isCursorEvent } from './input/event-table.js';
import { invocation } from './input/invocation.js';
import { writeFields } from './input/payload.js';
import { readInput } from './input/read-input.js';
import { misplacedFiles } from './lint/misplaced.js';
import { select } from './matching/select.js';
import { type CursorOptions, parseOptions } from './options.js';
import { relayOf } from './relay/index.js';
import { dataOf, pinnedParts } from './settings/hook-data.js';
import { claims, extensionFiles, locations, starter } from './settings/locations.js';
import { eventsIn, parse } from './settings/parse.js';
import { cursorSettingsJsonSchema } from './settings/schema.js';

export type { CursorOptions } from './options.js';

const name = 'cursor';

/**
 * Returns the dialect of Cursor's hooks. In its settings, each event has a list of hooks, and one call of a tool fires several events.
 * Throws a TypeError for invalid options.
 */
export function cursor(options: CursorOptions = {}): Dialect {
  const host = parseOptions(options);
  const { managedFile } = host;
  const hostOf = (hook: HookDefinition) => host.at(dataOf(hook).home);
  return {
    name,
    agent: 'Cursor',
    agentVariables: ['CURSOR_AGENT', 'CURSOR_PROJECT_DIR'],
    events: canonicalEvents,
    eventsIn,
    settingsJsonSchema: cursorSettingsJsonSchema,
    starter,
    locations: (context) => locations(context, managedFile),
    lookalikes: (context) => misplacedFiles(context, managedFile),
    claims: (file, context) => claims(file, context, managedFile),
    extensionFiles,
    extensionSource: 'plugin',
    failureField: 'failClosed',
    failureValues: [false, true],
    timeoutUnit: 's',
    contextSeparator: '\n\n---\n\n',
    parse: (document, context) => parse(document, context, host, name),
    pinnedParts,
    layOut: layOutTogether,
    select: (hook, event) => select(hook, event, hostOf(hook)),
    invocation: (event, hook, environment) => invocation(event, hook, environment, hostOf(hook)),
    decode: createDecode(hostOf),
    writeInput: (event, hookEvent) => (isCursorEvent(event) ? writeFields(hookEvent, event, host) : hookEvent.input),
    readInput: (event, input) => readInput(event, input, host),
    relay: relayOf(host),
  };
}
