import * as z from 'zod';
import type { EventEntry } from '../event-entry.js';
import { baseInputSchema, count, flag, object, specific, text, withContext } from '../event-fields.js';
import { noEffects, observed } from '../observed-event.js';

const modelSwitch = {
  to_model: z.string().describe('The model that the session goes on with.'),
  from_model: text.describe('The one before.'),
  requested_model: text.describe('What was asked for, as it was written.'),
  source: text.describe('Who asked: command, picker, sdk; after the switch also auto and resume.'),
  context_tokens: count.describe('Tokens of the conversation.'),
  prompt_cache_warm: flag.describe("Whether the conversation is in the cache of the model before, and not in the next one's."),
  cache_ttl: text.describe('How long it stays there: 5m or 1h.'),
  estimated_cache_write_usd: count.describe('What it costs to read the conversation anew, in US dollars.'),
  pricing: object.describe('What the models cost.'),
};

/** From one model to another within a session. */
export const modelSwitchEvents = {
  PreModelSwitch: {
    when: 'before the session goes on with another model',
    firedBy: 'host',
    input: baseInputSchema.extend(modelSwitch),
    specificOutput: z.looseObject(specific),
    strategy: 'field-replacement',
    may: { block: true, stop: false, inject: false },
    effects: { deny: 'the session keeps its model', stop: noEffects.stop },
    rewrites: [],
  },
  PostModelSwitch: {
    ...observed,
    when: 'after the session went on with another model',
    firedBy: 'host',
    input: baseInputSchema.extend(modelSwitch),
    specificOutput: z.looseObject(withContext('behind the conversation so far')),
    may: { block: false, stop: false, inject: true },
  },
} as const satisfies Record<string, EventEntry>;
