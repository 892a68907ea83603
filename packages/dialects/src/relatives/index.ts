import type { Dialect, DialectContext, HookDefinition } from '@tenterhook/protocol';
import { layOutTogether } from '../shared/name-matcher.js';
import { claimedByPlace, withSlashes } from '../shared/paths.js';
import { createDecode } from './answers/decode.js';
import { commonEvents } from './input/event-table.js';
import { invocation } from './input/invocation.js';
import { writeFields } from './input/payload.js';
import { readInput } from './input/read-input.js';
import { misplacedFiles } from './lint/misplaced.js';
import { select } from './matching/select.js';
import { parseOptions, type RelativeHost, type RelativeOptions } from './options.js';
import type { RelativeProduct } from './product.js';
import { relativeProducts } from './products/index.js';
import { dataOf, pinnedParts } from './settings/hook-data.js';
import { eventsIn, parse } from './settings/parse.js';
import { settingsJsonSchema } from './settings/schema.js';

export type { RelativeOptions } from './options.js';

/** Returns the dialect of Qwen Code's hooks. Throws a TypeError for invalid options. */
export function qwenCode(options: RelativeOptions = {}): Dialect {
  return relative(relativeProducts.qwenCode, options);
}

/** Returns the dialect of the hooks of Factory's Droid. Throws a TypeError for invalid options. */
export function factoryDroid(options: RelativeOptions = {}): Dialect {
  return relative(relativeProducts.factory, options);
}

/** Returns the dialect of CodeBuddy's hooks. Throws a TypeError for invalid options. */
export function codeBuddy(options: RelativeOptions = {}): Dialect {
  return relative(relativeProducts.codebuddy, options);
}

/** Returns the dialect of Devin's hooks. Throws a TypeError for invalid options. */
export function devin(options: RelativeOptions = {}): Dialect {
  return relative(relativeProducts.devin, options);
}

/** Returns the dialect of Trae's hooks. Throws a TypeError for invalid options. */
export function trae(options: RelativeOptions = {}): Dialect {
  return relative(relativeProducts.trae, options);
}

/** Returns the dialect of Auggie's hooks. Throws a TypeError for invalid options. */
export function auggie(options: RelativeOptions = {}): Dialect {
  return relative(relativeProducts.auggie, options);
}

/** Creates the dialect of one agent: the form of Claude Code's hooks, and what the agent does differently. */
function relative(product: RelativeProduct, options: RelativeOptions): Dialect {
  const host = parseOptions(product, options);
  const hostOf = (hook: HookDefinition) => host.at(dataOf(hook).home);
  const { name, agent, agentVariables, events, timeout, starter } = product;
  const eventNames = { events, otherAgentsEvents: Object.keys(commonEvents) };
  return {
    name,
    agent,
    agentVariables,
    events: Object.fromEntries(Object.entries(events).map(([event, { eventName }]) => [event, eventName])),
    eventsIn: (value) => eventsIn(value, eventNames),
    settingsJsonSchema: () => settingsJsonSchema(product),
    starter,
    locations: (context) => product.locations(context, host.managedFile),
    lookalikes: (context) => misplacedFiles(context, host),
    claims: (file, context) => claims(file, context, host),
    timeoutUnit: timeout.unit,
    parse: (document, context) => parse(document, context, host),
    pinnedParts,
    layOut: layOutTogether,
    select: (hook, event) => select(hook, event, hostOf(hook)),
    invocation: (event, hook, environment) => invocation(event, hook, environment, hostOf(hook)),
    decode: createDecode(hostOf),
    writeInput: (event, { input }) => (Object.hasOwn(events, event) ? writeFields(input, event, host) : input),
    readInput: (event, input) => readInput(event, input, host),
  };
}

/** Tests whether the agent would read this file. A file of a project belongs to the folder that contains the agent's folder. */
function claims(file: string, context: DialectContext, { product, managedFile }: RelativeHost): { projectDir?: string } | undefined {
  const path = withSlashes(file);
  const ofUser = product.locations(context, managedFile).filter(({ source }) => source !== 'project' && source !== 'local');
  if (ofUser.some((location) => withSlashes(location.file) === path)) return {};
  for (const place of product.projectFiles) {
    const claimed = claimedByPlace(file, place);
    if (claimed !== undefined) return claimed;
  }
  return undefined;
}
