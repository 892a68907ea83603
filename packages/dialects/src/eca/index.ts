import type { Dialect, DialectContext } from '@tenterhook/protocol';
import { createDecode } from './answers.js';
import { ecaEvents, typeOf } from './input/event-table.js';
import { invocation, writeFields } from './input/invocation.js';
import { readInput } from './input/read-input.js';
import { misplacedFiles } from './lint/misplaced.js';
import { layOut, select } from './matching/select.js';
import { type EcaOptions, parseOptions } from './options.js';
import { relayOf } from './relay.js';
import { pinnedParts } from './settings/hook-data.js';
import { claims, locations, starter } from './settings/locations.js';
import { combine, eventsIn, parse } from './settings/parse.js';
import { ecaSettingsJsonSchema } from './settings/schema.js';

export type { EcaOptions } from './options.js';

/**
 * ECA's dialect with the value of its option `server`. Matchers of ECA contain the server of a tool, so code that reads matchers
 * needs the server name of the host's own tools.
 */
export interface EcaDialect extends Dialect {
  readonly server: string;
}

const name = 'eca';

/**
 * Returns the dialect of the hooks of ECA (Editor Code Assistant). In its settings each hook has a key, a type and actions. Throws a
 * TypeError for invalid options.
 */
export function eca(options: EcaOptions = {}): EcaDialect {
  const host = parseOptions(options);
  const [workspace] = host.workspaces ?? [];
  const inWorkspace = (context: DialectContext) => (workspace === undefined ? context : { ...context, projectDir: workspace });
  return {
    name,
    agent: 'ECA',
    server: host.server,
    events: ecaEvents,
    eventsIn,
    settingsJsonSchema: ecaSettingsJsonSchema,
    starter,
    locations: (context) => locations(inWorkspace(context)),
    lookalikes: (context) => misplacedFiles(inWorkspace(context)),
    claims,
    parse: (document, context) => parse(document, inWorkspace(context), name),
    combine,
    pinnedParts,
    layOut,
    select: (hook, event) => select(hook, event, host),
    invocation: (event, hook, environment) => invocation(event, hook, environment, host),
    decode: createDecode(host),
    writeInput: (spelling, { input }) => {
      const type = typeOf(spelling);
      return type === undefined ? input : writeFields(type, input, host);
    },
    readInput: (type, input) => readInput(type, input, host),
    relay: relayOf(host),
  };
}
