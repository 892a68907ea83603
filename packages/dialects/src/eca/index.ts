import type { Dialect, DialectContext } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { createDecode } from './decode.js';
import { invocation } from './encode.js';
import { ecaEvents } from './event-types.js';
import { claims, locations } from './locations.js';
import { lookalikes } from './lookalikes.js';
import { createMatchKey } from './match-key.js';
import { misplacedIn } from './misplaced-hooks.js';
import { type EcaOptions, hostOf } from './options.js';
import { parse } from './parse.js';
import { combine } from './repeated-keys.js';
import { layOut, select } from './select.js';
import { ecaSettingsJsonSchema } from './settings-schema.js';

export type { EcaOptions } from './options.js';

/** ECA names every tool with its server, so a reader of its matchers needs the server of the host's own tools. */
export interface EcaDialect extends Dialect {
  readonly server: string;
}

const name = 'eca';

/** The hooks of ECA (Editor Code Assistant): keys, types and actions. Throws a TypeError for options of the wrong type. */
export function eca(options: EcaOptions = {}): EcaDialect {
  const host = hostOf(options);
  const [workspace] = host.workspaces ?? [];
  const inWorkspace = (context: DialectContext) => (workspace === undefined ? context : { ...context, projectDir: workspace });
  return {
    name,
    agent: 'ECA',
    server: host.server,
    events: ecaEvents,
    eventsIn,
    settingsJsonSchema: ecaSettingsJsonSchema,
    locations: (context) => locations(inWorkspace(context)),
    lookalikes: (context) => lookalikes(inWorkspace(context)),
    claims,
    parse: (document, context) => parse(document, inWorkspace(context), name),
    combine,
    layOut,
    select: (hook, event) => select(hook, event, host),
    matchKey: createMatchKey(host),
    invocation: (event, hook, environment) => invocation(event, hook, environment, host),
    decode: createDecode(host),
  };
}

/** What is shaped like a hook of ours counts with whatever it calls its type: a slip in a name must not make the file another agent's. */
function eventsIn(value: unknown): string[] {
  if (!isPlainObject(value)) return [];
  const hooks = [...Object.values(isPlainObject(value['hooks']) ? value['hooks'] : {}), ...misplacedIn(value).map(({ hook }) => hook)];
  return hooks.flatMap((hook) => {
    if (!isPlainObject(hook) || typeof hook['type'] !== 'string') return [];
    return Object.hasOwn(ecaEvents, hook['type']) || Array.isArray(hook['actions']) ? [hook['type']] : [];
  });
}
