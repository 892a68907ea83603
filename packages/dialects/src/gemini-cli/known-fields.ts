import { eventEntry, type HookEventName } from '@tenterhook/protocol';
import * as z from 'zod';
import type { FieldTable } from '../shared/output/known-fields.js';
import type { FieldSchema } from '../shared/output/printed-fields.js';
import { geminiEvent, geminiEventNames } from './input/event-table.js';

/** Fields that only this product has. */
const ownFields: Readonly<Record<string, FieldSchema>> = {
  clearContext: z.boolean(),
  tailToolCallRequest: z.looseObject({ name: z.string().min(1), args: z.record(z.string(), z.unknown()).optional() }),
};

/** Of another format, and so near that people print it: what it objects to counts (decisions 66 and 68). */
const permissionFields = ['permissionDecision', 'permissionDecisionReason'];

/** What may stand in hookSpecificOutput. What nobody knows is dropped, as Gemini CLI does, and said, as it does not. */
export const fieldTable: FieldTable = {
  specificOf,
  specificOfAll: new Set(geminiEventNames.flatMap((eventName) => Object.keys(specificOf(eventName)))),
  passesUnknown: false,
};

function specificOf(eventName: HookEventName): Readonly<Record<string, FieldSchema>> {
  const own = eventEntry(eventName).specificOutput.shape;
  const shape = { ...eventEntry('BeforeTool').specificOutput.shape, ...own } as Readonly<Record<string, FieldSchema>>;
  const names = ['hookEventName', ...geminiEvent(eventName).outputs, ...permissionFields];
  return Object.fromEntries(names.map((name) => [name, (ownFields[name] ?? shape[name]) as FieldSchema]));
}
