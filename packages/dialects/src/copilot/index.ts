import type { Dialect, HookDefinition, Stage } from '@tenterhook/protocol';
import { createDecode } from './answers/decode.js';
import { canonicalEvents } from './input/event-table.js';
import { invocation } from './input/invocation.js';
import { writeFields } from './input/payload.js';
import { readInput } from './input/read-input.js';
import { misplacedFiles } from './lint/misplaced.js';
import { select } from './matching/select.js';
import { type CopilotOptions, mostContext, parseOptions } from './options.js';
import { relayOf } from './relay.js';
import { dataOf, pinnedParts } from './settings/hook-data.js';
import { claims, extensionFiles, locations, starter } from './settings/locations.js';
import { eventsIn, parse } from './settings/parse.js';
import { copilotSettingsJsonSchema } from './settings/schema.js';

export type { CopilotOptions } from './options.js';

const name = 'copilot';

/**
 * Returns the dialect of the hooks of GitHub Copilot: its command line, its cloud agent, and VS Code. The spelling of an event's key in the
 * settings decides which fields its hooks receive. Throws a TypeError for invalid options.
 */
export function copilot(options: CopilotOptions = {}): Dialect {
  const host = parseOptions(options);
  const { managedFolder } = host;
  const hostOf = (hook: HookDefinition) => host.at(dataOf(hook).home);
  return {
    name,
    agent: 'Copilot',
    agentVariables: ['COPILOT_CLI'],
    events: canonicalEvents,
    eventsIn,
    settingsJsonSchema: copilotSettingsJsonSchema,
    starter,
    locations: (context) => locations(context, managedFolder),
    lookalikes: (context) => misplacedFiles(context, managedFolder),
    claims: (file, context) => claims(file, context, managedFolder),
    extensionFiles,
    extensionSource: 'plugin',
    timeoutUnit: 's',
    traceFields: 'always',
    contextSeparator: '\n\n',
    contextLimit: mostContext,
    parse: (document, context) => parse(document, context, host, name),
    pinnedParts,
    layOut,
    select: (hook, event) => select(hook, event, hostOf(hook)),
    invocation: (event, hook, environment) => invocation(event, hook, environment, hostOf(hook)),
    decode: createDecode(hostOf),
    writeInput: (event, hookEvent) => writeFields(hookEvent, event, host),
    readInput: (event, input) => readInput(event, input, host),
    relay: relayOf(host),
  };
}

/** Copilot runs hooks one after another, in the order in which it has loaded them. */
function layOut(hooks: readonly HookDefinition[]): Stage[] {
  return hooks.map((hook) => ({ hooks: [hook] }));
}
