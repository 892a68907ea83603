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
import { createMigration } from '../../../migrate/src/formats/eca.js';
import { combine } from './repeated-keys.js';
import { layOut, select } from './select.js';
import { ecaSettingsJsonSchema } from './settings-schema.js';

export type { EcaOptions } from './options.js';

const name = 'eca';

/** The hooks of ECA (Editor Code Assistant): keys, types and actions. Throws a TypeError for options of the wrong type. */
export function eca(options: EcaOptions = {}): Dialect {
  const host = hostOf(options);
  const [workspace] = host.workspaces ?? [];
  const inWorkspace = (context: DialectContext) => (workspace === undefined ? context : { ...context, projectDir: workspace });
  return {
    name,
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
    migration: createMigration(host.server),
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
