import { hookEventNames } from '@tenterhook/protocol';
import { llxprtSettingsJsonSchema } from '../../../src/llxprt/settings/schema.js';
import { type SchemaPart, schemaAt, schemaErrors } from '../../shared/settings/schema-errors.js';
import { parsed } from '../llxprt-rig.js';

// The schema as JSON, as it is written to its file. Values that JSON does not have are removed.
const schema = JSON.parse(JSON.stringify(llxprtSettingsJsonSchema())) as SchemaPart;
const errorsIn = (value: unknown) => schemaErrors(schema, value);
const hook = (fields: object) => ({ hooks: { BeforeTool: [{ hooks: [{ command: 'x', ...fields }] }] } });
const group = (fields: object) => ({ hooks: { BeforeTool: [{ hooks: [{ command: 'x' }], ...fields }] } });

const valid: Record<string, unknown> = {
  nothing: {},
  'settings that are about something else': { ui: { theme: 'dark' }, tools: { core: [] } },
  'the name of the schema itself': { $schema: '../llxprt-settings.schema.json', hooks: {} },
  'every event, and both switches': {
    tools: { enableHooks: true },
    hooksConfig: { disabled: ['a'] },
    hooks: Object.fromEntries(hookEventNames.map((eventName) => [eventName, [{ hooks: [{ command: 'x' }] }]])),
  },
  'a hook with everything': hook({ type: 'command', name: 'n', description: 'd', timeout: 5000, env: { A: '1' }, onError: 'block' }),
  'a group with everything': group({ matcher: 'write_*', sequential: true }),
  'the shortest and the longest timeout': {
    hooks: { AfterTool: [{ hooks: [1, 2147483647].map((timeout) => ({ command: 'x', timeout })) }] },
  },
  'unknown fields, which are not forbidden': hook({ color: 'red' }),
};

test.each(Object.entries(valid))('valid: %s', (_, value) => {
  expect(errorsIn(value)).toEqual([]);
});

const at = '.hooks.BeforeTool[0]';
const invalid: Record<string, [value: unknown, path: string]> = {
  'settings that are a list': [[], ''],
  'an event that does not exist': [{ hooks: { PreToolUse: [] } }, '.hooks.PreToolUse'],
  'an event in small letters': [{ hooks: { beforetool: [] } }, '.hooks.beforetool'],
  'groups that are an object': [{ hooks: { BeforeTool: { hooks: [] } } }, '.hooks.BeforeTool'],
  'a hook in the place of a group': [{ hooks: { BeforeTool: [{ command: 'x' }] } }, `${at}.hooks`],
  'a matcher that is a number': [group({ matcher: 5 }), `${at}.matcher`],
  'sequential that is a text': [group({ sequential: 'yes' }), `${at}.sequential`],
  'a hook without a command': [group({ hooks: [{}] }), `${at}.hooks[0].command`],
  'an empty command': [hook({ command: '' }), `${at}.hooks[0].command`],
  'the type in capitals': [hook({ type: 'Command' }), `${at}.hooks[0].type`],
  'a timeout of nothing': [hook({ timeout: 0 }), `${at}.hooks[0].timeout`],
  'a timeout beyond the largest': [hook({ timeout: 2147483648 }), `${at}.hooks[0].timeout`],
  'a timeout that is a text': [hook({ timeout: '5s' }), `${at}.hooks[0].timeout`],
  'a variable that is a number': [hook({ env: { A: 1 } }), `${at}.hooks[0].env.A`],
  'onError that is not a word of ours': [hook({ onError: 'deny' }), `${at}.hooks[0].onError`],
  'a switch that is a text': [{ tools: { enableHooks: 'true' } }, '.tools.enableHooks'],
  'a disabled list of numbers': [{ hooksConfig: { disabled: [5] } }, '.hooksConfig.disabled[0]'],
};

test.each(Object.entries(invalid))('invalid: %s; reading it is a diagnostic, too', (_, [value, path]) => {
  expect(errorsIn(value)).toEqual([path]);
  expect(parsed(value).diagnostics.map((diagnostic) => diagnostic.severity)).toContain('error');
});

test('an editor can complete and explain every key', () => {
  const events = schemaAt(schema, 'hooks', 'properties') as Record<string, SchemaPart>;
  expect(Object.keys(events)).toEqual(hookEventNames);
  const groupSchema = schemaAt(schema, 'hooks', 'BeforeTool', 'items');
  const hookSchema = schemaAt(schema, 'hooks', 'BeforeTool', 'items', 'hooks', 'items');
  const parts = [schema, schemaAt(schema, 'tools'), schemaAt(schema, 'hooksConfig'), schemaAt(schema, 'hooks'), groupSchema, hookSchema];
  const undescribed = parts.flatMap((part) =>
    Object.entries(part['properties'] as Record<string, SchemaPart>)
      .filter(([, field]) => typeof field['description'] !== 'string')
      .map(([key]) => key),
  );
  expect(undescribed).toEqual([]);
  expect(hookSchema['properties']).toMatchObject({
    type: { const: 'command', default: 'command' },
    timeout: { type: 'number', minimum: 1, maximum: 2147483647, default: 60_000 },
    onError: { enum: ['continue', 'block'], default: 'continue' },
  });
  expect(groupSchema['properties']).toMatchObject({ sequential: { default: false } });
  expect(events['BeforeTool']?.['description']).toContain('before a tool runs');
});
