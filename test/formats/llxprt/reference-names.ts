import { llxprt } from '@tenterhook/dialects';
import { eventEntry, hookEventNames } from '@tenterhook/protocol';
import { hookOutputSchema } from '@tenterhook/protocol/internal';
import { productEvents } from '../../../packages/dialects/src/llxprt/input.js';
import { type ReferenceNames, settingsFieldsOf, variablesOf } from '../reference-names.js';

type Names = (entry: ReturnType<typeof eventEntry>) => readonly string[];

const pairs = (namesOf: Names) => productEvents.flatMap((event) => namesOf(eventEntry(event)).map((name) => `${event} ${name}`));
const baseFields = Object.keys(eventEntry('HostStart').input.shape);

/** What the dialect of LLxprt Code knows. Fields of events that only other agents have are not part of its reference. */
export const names: ReferenceNames = {
  Settings: settingsFieldsOf(llxprt()),
  Events: hookEventNames,
  Matching: pairs(({ matcherField, matcherValues = [] }) => (matcherField === undefined ? [] : [matcherField, ...matcherValues])),
  Input: [...baseFields, ...pairs(({ input }) => Object.keys(input.shape).filter((field) => !baseFields.includes(field)))],
  Output: [
    ...Object.keys(hookOutputSchema.shape),
    ...pairs(({ specificOutput }) => Object.keys(specificOutput.shape).filter((field) => field !== 'hookEventName')),
  ],
  Environment: variablesOf(llxprt(), 'LLXPRT|GEMINI|CLAUDE'),
};
