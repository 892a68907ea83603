import { type Dialect, HookEventName } from '@tenterhook/protocol';
import { decode } from './answers.js';
import { invocation } from './input.js';
import { lookalikes } from './lookalikes.js';
import { eventsIn } from './own-events.js';
import { parse } from './parse.js';
import { migration } from './portable.js';
import { layOut, select } from './select.js';
import { combine } from './settings/combine.js';
import { claims, locations } from './settings/locations.js';
import { llxprtSettingsJsonSchema } from './settings/schema.js';

export interface LlxprtOptions {
  /** The system's settings file. @default '/etc/llxprt-code/settings.json' */
  readonly systemFile?: string;
}

const name = 'llxprt';

/** The hooks of LLxprt Code, the native dialect: its event names and shapes are the canonical ones. */
export function llxprt(options: LlxprtOptions = {}): Dialect {
  const systemFile = options.systemFile ?? '/etc/llxprt-code/settings.json';
  return {
    name,
    events: HookEventName,
    eventsIn,
    settingsJsonSchema: llxprtSettingsJsonSchema,
    locations: (context) => locations(context, systemFile),
    lookalikes: (context) => lookalikes(context, systemFile),
    claims: (file) => claims(file, systemFile),
    parse: (document) => parse(document, name),
    combine,
    layOut,
    select,
    matchKey: (_eventName, subject) => subject,
    invocation,
    decode,
    migration,
  };
}
