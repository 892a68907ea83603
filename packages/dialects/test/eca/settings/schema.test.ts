import { ecaEvents } from '../../../src/eca/input/event-table.js';
import { ecaSettingsJsonSchema } from '../../../src/eca/settings/schema.js';
import { type SchemaPart, schemaErrors } from '../../shared/settings/schema-errors.js';
import { action, parsed } from '../eca-rig.js';

// The schema as JSON, as it is written to its file. Values that JSON does not have are removed.
const schema = JSON.parse(JSON.stringify(ecaSettingsJsonSchema())) as SchemaPart;
const hook = (fields: object) => ({ hooks: { guard: { type: 'preToolCall', actions: [action], ...fields } } });

const valid: Record<string, { readonly hooks?: unknown }> = {
  nothing: {},
  'every type': { hooks: Object.fromEntries(Object.keys(ecaEvents).map((type) => [type, { type, actions: [action] }])) },
  'a hook with everything': hook({ type: 'postToolCall', matcher: 'eca__.*', visible: false, runOnError: true, onError: 'block' }),
  'a matcher that is an object': hook({ description: 'Guards.', matcher: { eca__write_file: { argsMatchers: { path: ['.*'] } }, gh: {} } }),
  'unknown fields': hook({ color: 'red' }),
};

test.each(Object.entries(valid))('valid: %s', (_, value) => {
  expect(schemaErrors(schema, value)).toEqual([]);
  expect(parsed(value.hooks).diagnostics).toEqual([]);
});

const invalid: Record<string, { readonly hooks: unknown }> = {
  'hooks that are a list': { hooks: [] },
  'a type that does not exist': hook({ type: 'PreToolUse' }),
  'no actions': hook({ actions: [] }),
  'an action of another type': hook({ actions: [{ type: 'http' }] }),
  'a matcher that is a number': hook({ matcher: 7 }),
  'a selector that is a list': hook({ matcher: { eca__write_file: [] } }),
  'a timeout of no time': hook({ actions: [{ ...action, timeout: 0 }] }),
  'a word for onError that does not exist': hook({ onError: 'deny' }),
};

test.each(Object.entries(invalid))('invalid, as the reader of settings says: %s', (_, value) => {
  expect(schemaErrors(schema, value)).not.toEqual([]);
  expect(parsed(value.hooks).diagnostics).not.toEqual([]);
});
