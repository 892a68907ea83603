import { geminiEventNames } from '../../../src/gemini-cli/input/event-table.js';
import { geminiCliSettingsJsonSchema } from '../../../src/gemini-cli/settings/schema.js';
import { type SchemaPart, schemaAt, schemaErrors } from '../../shared/settings/schema-errors.js';
import { good, parsed, settingsOf } from '../gemini-rig.js';

// The schema as JSON, as it is written to its file. Values that JSON does not have are removed.
const schema = JSON.parse(JSON.stringify(geminiCliSettingsJsonSchema())) as SchemaPart;
const errorsIn = (value: unknown) => schemaErrors(schema, value);

const valid: Record<string, unknown> = {
  nothing: {},
  'settings that are about something else': { ui: { theme: 'dark' }, security: { auth: {} } },
  'every event, and every switch': {
    hooksConfig: { enabled: true, disabled: ['a'], notifications: false },
    security: { environmentVariableRedaction: { enabled: true, allowed: ['A'], blocked: ['B'] } },
    hooks: Object.fromEntries(geminiEventNames.map((eventName) => [eventName, [{ hooks: [good] }]])),
  },
  'a hook with everything': settingsOf({ name: 'n', description: 'd', timeout: 5000, env: { A: '1' }, onError: 'block' }),
  'a group with everything': settingsOf({}, { matcher: 'write_.*', sequential: true }),
};

test.each(Object.entries(valid))('valid: %s', (_, value) => {
  expect(errorsIn(value)).toEqual([]);
  expect(parsed(value).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

const at = '.hooks.BeforeTool[0]';
const invalid: Record<string, [value: unknown, path: string]> = {
  'an event of Claude Code': [{ hooks: { PreToolUse: [] } }, '.hooks.PreToolUse'],
  'a flat handler': [{ hooks: { BeforeTool: [good] } }, `${at}.hooks`],
  'the type in capitals': [settingsOf({ type: 'Command' }), `${at}.hooks[0].type`],
  'a timeout of nothing': [settingsOf({ timeout: 0 }), `${at}.hooks[0].timeout`],
  'a switch that is a text': [{ hooksConfig: { enabled: 'true' } }, '.hooksConfig.enabled'],
  'a list of variables that is a text': [
    { security: { environmentVariableRedaction: { blocked: 'A' } } },
    '.security.environmentVariableRedaction.blocked',
  ],
};

test.each(Object.entries(invalid))('invalid: %s; reading it is a diagnostic, too', (_, [value, path]) => {
  expect(errorsIn(value)).toEqual([path]);
  expect(parsed(value).diagnostics.map(({ severity }) => severity)).toContain('error');
});

test('an editor can complete and explain every key', () => {
  const events = schemaAt(schema, 'hooks', 'properties') as Record<string, SchemaPart>;
  expect(Object.keys(events)).toEqual(geminiEventNames);
  const redaction = schemaAt(schema, 'security', 'environmentVariableRedaction');
  const group = schemaAt(schema, 'hooks', 'BeforeTool', 'items');
  const hook = schemaAt(schema, 'hooks', 'BeforeTool', 'items', 'hooks', 'items');
  const parts = [schema, schemaAt(schema, 'hooksConfig'), redaction, schemaAt(schema, 'hooks'), group, hook];
  const undescribed = parts.flatMap((part) =>
    Object.entries(part['properties'] as Record<string, SchemaPart>)
      .filter(([, field]) => typeof field['description'] !== 'string')
      .map(([key]) => key),
  );
  expect(undescribed).toEqual([]);
  expect(hook['properties']).toMatchObject({ timeout: { default: 60_000 }, type: { const: 'command' } });
  expect(events['SessionStart']?.['description']).toContain('The matcher is compared with source.');
});
