import { geminiCli } from '@tenterhook/dialects';
import type { RelayFormat } from '@tenterhook/protocol';
import { formOf } from '../../src/install/form-of.js';

test('a comma that the installation added stays if an edit needs it', () => {
  const relay = geminiCli().relay as RelayFormat;
  const form = formOf('settings.json');
  const before = '{\n  "a": 1\n  // note\n}\n';
  const installed = form.planInstall(before, {
    format: relay,
    events: ['BeforeTool'],
    command: (event) => ({ program: '/b/tenterhook-hook', args: ['gemini-cli', event] }),
    options: () => ({ timeoutMs: 65_000, onFailure: 'open' }),
  });
  const after = 'text' in installed ? installed.text : '';
  const edited = after.replace('  // note\n', '  // note\n  "b": 2,\n');
  expect(edited).not.toBe(after);
  expect(form.planUninstall(edited, relay, { before, after })).toEqual({ text: '{\n  "a": 1,\n  // note\n  "b": 2\n}\n' });
});
