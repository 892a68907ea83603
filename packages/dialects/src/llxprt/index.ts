import { type Dialect, HookEventName } from '@tenterhook/protocol';
import { decode } from './decode.js';
import { invocation } from './encode.js';
import { claims, locations } from './locations.js';
import { lookalikes } from './lookalikes.js';
import { eventsIn } from './own-events.js';
import { parse } from './parse.js';
import { layOut, select } from './select.js';
import { llxprtSettingsJsonSchema } from './settings-schema.js';
import { combine } from './switches.js';

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
    agent: 'LLxprt Code',
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
  };
}
