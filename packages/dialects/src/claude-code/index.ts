import type { Dialect, HookDefinition } from '@tenterhook/protocol';
import { layOutTogether } from '../shared/name-matcher.js';
import { createDecode } from './answers/decode.js';
import { canonicalEvents, isClaudeEvent } from './input/event-table.js';
import { invocation } from './input/invocation.js';
import { writeFields } from './input/payload.js';
import { readInput } from './input/read-input.js';
import { misplacedFiles } from './lint/misplaced.js';
import { select } from './matching/select.js';
import { type ClaudeCodeOptions, parseOptions } from './options.js';
import { relayOf } from './relay.js';
import { configure } from './settings/configure.js';
import { dataOf, pinnedParts } from './settings/hook-data.js';
import { claims, extensionFiles, locations, starter } from './settings/locations.js';
import { eventsIn, parse } from './settings/parse.js';
import { claudeCodeSettingsJsonSchema } from './settings/schema.js';

export type { ClaudeCodeOptions, ClaudePlugin } from './options.js';

const name = 'claude-code';

/**
 * Returns the dialect of Claude Code's hooks. In its settings, each event has groups, and each group has hooks. Throws a TypeError for
 * invalid options.
 */
export function claudeCode(options: ClaudeCodeOptions = {}): Dialect {
  const host = parseOptions(options);
  const { managedFile } = host;
  const hostOf = (hook: HookDefinition) => host.at(dataOf(hook).home);
  return {
    name,
    agent: 'Claude Code',
    agentVariables: ['CLAUDECODE', 'CLAUDE_PROJECT_DIR'],
    events: canonicalEvents,
    eventsIn,
    settingsJsonSchema: claudeCodeSettingsJsonSchema,
    starter,
    locations: (context) => locations(context, managedFile),
    lookalikes: (context) => misplacedFiles(context, managedFile),
    claims: (file, context) => claims(file, context, managedFile),
    extensionFiles,
    extensionSource: 'plugin',
    failureField: 'onFailure',
    detachField: 'allowAsync',
    timeoutUnit: 's',
    parse: (document, context) => parse(document, context, host, name),
    configure,
    pinnedParts,
    layOut: layOutTogether,
    select: (hook, event) => select(hook, event, hostOf(hook)),
    invocation: (event, hook, environment) => invocation(event, hook, environment, hostOf(hook)),
    decode: createDecode(hostOf),
    writeInput: (event, { input }) => (isClaudeEvent(event) ? writeFields(input, event, host) : input),
    readInput: (event, input) => readInput(event, input, host),
    relay: relayOf(host),
  };
}
