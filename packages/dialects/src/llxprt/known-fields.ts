import { eventCatalogue, eventEntry, type HookEventName } from '@tenterhook/protocol';
import type { ReadOutput } from '../shared/output/answer-format.js';
import { type FieldTable, knownFields as read } from '../shared/output/known-fields.js';
import type { FieldSchema } from '../shared/output/printed-fields.js';

/** Those of the catalogue, which are this format's. */
const table: FieldTable = {
  specificOf: (eventName) => eventEntry(eventName).specificOutput.shape as Readonly<Record<string, FieldSchema>>,
  specificOfAll: new Set(Object.values(eventCatalogue).flatMap((entry) => Object.keys(entry.specificOutput.shape))),
  passesUnknown: true,
};

export function knownFields(printed: Readonly<Record<string, unknown>>, eventName: HookEventName): ReadOutput {
  return read(printed, eventName, table);
}
