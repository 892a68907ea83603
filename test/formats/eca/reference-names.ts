import { eca } from '@tenterhook/dialects';
import { eventEntry, type HookDefinition } from '@tenterhook/protocol';
import { fieldNames } from '../../../packages/dialects/src/eca/answers.js';
import { type EcaType, ecaEvents, ecaTypes } from '../../../packages/dialects/src/eca/input/event-table.js';
import { toStdinFields } from '../../../packages/dialects/src/eca/input/invocation.js';
import { parseOptions } from '../../../packages/dialects/src/eca/options.js';
import { ecaTools } from '../../../packages/dialects/src/eca/tools.js';
import { type ReferenceNames, settingsFieldsOf } from '../reference-names.js';

const host = parseOptions({});

/** The fields that a hook of a type reads on stdin, where the agent sends every field of the event. */
function inputOf(type: EcaType): string[] {
  const { eventName } = ecaTypes[type];
  const input = Object.fromEntries(Object.keys(eventEntry(eventName).input.shape).map((field) => [field, 'x']));
  const hook = { name: 'h', dialectData: { type } } as unknown as HookDefinition;
  return Object.keys(toStdinFields({ eventName, input, projectDir: '/srv' } as never, hook, host));
}

/** What the dialect of ECA knows. */
export const names: ReferenceNames = {
  Settings: settingsFieldsOf(eca()),
  Types: Object.keys(ecaEvents),
  Input: [...new Set((Object.keys(ecaTypes) as EcaType[]).flatMap(inputOf))],
  Tools: Object.values(ecaTools).flatMap(({ names }) => [...names]),
  Output: fieldNames(),
};
