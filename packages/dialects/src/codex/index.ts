import type { Dialect } from '@tenterhook/protocol';
import { layOutTogether } from '../shared/name-matcher.js';
import { createDecode, denied } from './answers/decode.js';
import { canonicalEvents, isCodexEvent } from './input/event-table.js';
import { invocation } from './input/invocation.js';
import { writeFields } from './input/payload.js';
import { readInput } from './input/read-input.js';
import { misplacedFiles } from './lint/misplaced.js';
import { select } from './matching/select.js';
import { type CodexOptions, parseOptions } from './options.js';
import { relayOf } from './relay.js';
import { combine, configure } from './settings/configure.js';
import { pinnedParts } from './settings/hook-data.js';
import { claims, extensionFiles, locations, starter } from './settings/locations.js';
import { eventsIn, parse } from './settings/parse.js';
import { codexSettingsJsonSchema } from './settings/schema.js';

export type { CodexOptions, CodexPlugin } from './options.js';

const name = 'codex';

/**
 * Returns the dialect of Codex's hooks. Its settings have the form of Claude Code's, but Codex rejects every answer that breaks one of
 * its rules. Throws a TypeError for invalid options.
 */
export function codex(options: CodexOptions = {}): Dialect {
  const host = parseOptions(options);
  const { managedFile } = host;
  return {
    name,
    agent: 'Codex',
    agentVariables: ['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID', 'CODEX_CI'],
    events: canonicalEvents,
    eventsIn,
    settingsJsonSchema: codexSettingsJsonSchema,
    starter,
    locations: (context) => locations(context, managedFile),
    lookalikes: (context) => misplacedFiles(context, managedFile),
    claims: (file, context) => claims(file, context, managedFile),
    extensionFiles,
    extensionSource: 'plugin',
    timeoutUnit: 's',
    contextSeparator: '\n\n',
    parse: (document, context) => parse(document, context, host, name),
    configure: (hook, reaching) => configure(hook, reaching, host),
    combine: (parsed) => combine(parsed, name),
    pinnedParts,
    layOut: layOutTogether,
    select: (hook, event) => select(hook, event, host),
    invocation: (event, hook, environment) => invocation(event, hook, environment, host),
    decode: createDecode(host),
    writeInput: (event, { input }) => (isCodexEvent(event) ? writeFields(input, event, host) : input),
    readInput: (event, input) => readInput(event, input, host),
    denied,
    relay: relayOf(host),
  };
}
