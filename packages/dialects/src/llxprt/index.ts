import { type Dialect, HookEventName } from '@tenterhook/protocol';
import { layOutBySequential, pinnedCommandParts } from '../shared/settings/command-hooks.js';
import { decode } from './answers.js';
import { invocation } from './input.js';
import { misplacedFiles } from './lint.js';
import { select } from './matching.js';
import { relay } from './relay.js';
import { claims, extensionFiles, locations, starter } from './settings/locations.js';
import { eventsIn, parse } from './settings/parse.js';
import { llxprtSettingsJsonSchema } from './settings/schema.js';

/** Where the files of LLxprt Code are. */
export interface LlxprtOptions {
  /** The absolute path of the system's settings file. @default '/etc/llxprt-code/settings.json' */
  readonly systemFile?: string;
}

const name = 'llxprt';

/** Returns the dialect of LLxprt Code's hooks. Its event names and shapes are the canonical ones. */
export function llxprt(options: LlxprtOptions = {}): Dialect {
  const systemFile = options.systemFile ?? '/etc/llxprt-code/settings.json';
  return {
    name,
    agent: 'LLxprt Code',
    agentVariables: ['LLXPRT_CLI', 'LLXPRT_PROJECT_DIR'],
    events: HookEventName,
    eventsIn,
    settingsJsonSchema: llxprtSettingsJsonSchema,
    starter,
    locations: (context) => locations(context, systemFile),
    lookalikes: (context) => misplacedFiles(context, systemFile),
    claims: (file) => claims(file, systemFile),
    extensionFiles,
    parse: (document, context) => parse(document, context, name),
    pinnedParts: pinnedCommandParts,
    traceFields: 'on request',
    layOut: layOutBySequential,
    select,
    invocation,
    decode,
    relay,
  };
}
