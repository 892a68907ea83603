import type { Dialect } from '@tenterhook/protocol';
import { layOutBySequential } from '../shared/settings/command-hooks.js';
import { createDecode, denied } from './answers.js';
import { geminiEventNames } from './input/event-table.js';
import { createInvocation, writeFields } from './input/invocation.js';
import { misplacedFiles } from './lint/misplaced.js';
import { select } from './matching.js';
import { type GeminiCliOptions, parseOptions } from './options.js';
import { relay } from './relay.js';
import { pinnedParts } from './settings/hook-data.js';
import { claims, extensionFiles, locations, starter } from './settings/locations.js';
import { eventsIn, parse } from './settings/parse.js';
import { geminiCliSettingsJsonSchema } from './settings/schema.js';
import { configure } from './settings/switches.js';

export type { GeminiCliOptions, RedactionLists } from './options.js';

const name = 'gemini-cli';

/**
 * Returns the dialect of Gemini CLI's hooks. Its event names and tool names are the canonical ones. Throws a TypeError for invalid
 * options.
 */
export function geminiCli(options: GeminiCliOptions = {}): Dialect {
  const host = parseOptions(options);
  const { systemFile } = host;
  return {
    name,
    agent: 'Gemini CLI',
    agentVariables: ['GEMINI_CLI', 'GEMINI_PROJECT_DIR'],
    events: Object.fromEntries(geminiEventNames.map((eventName) => [eventName, eventName])),
    eventsIn,
    settingsJsonSchema: geminiCliSettingsJsonSchema,
    starter,
    locations: (context) => locations(context, systemFile),
    lookalikes: (context) => misplacedFiles(context, systemFile),
    claims: (file, context) => claims(file, context, systemFile),
    extensionFiles,
    parse: (document, context) => parse(document, context, host, name),
    configure,
    pinnedParts,
    layOut: layOutBySequential,
    select: (hook, event) => select(hook, event, host),
    invocation: createInvocation(host),
    decode: createDecode(host),
    writeInput: (_event, event) => writeFields(event, host),
    denied,
    relay,
  };
}
