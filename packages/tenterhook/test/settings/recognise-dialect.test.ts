import type { Dialect, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import { documentOf } from '../../src/settings/read-document.js';
import { recogniseDialect } from '../../src/settings/recognise-dialect.js';
import { fakeDialect, north, south } from './settings-rig.js';

const native = fakeDialect('llxprt', { BeforeTool: 'BeforeTool', Rise: 'SessionStart' });

function settings(events: readonly string[], file?: string): SettingsDocument {
  const document = documentOf({ hooks: Object.fromEntries(events.map((event) => [event, []])) }, 'settings');
  return file === undefined ? document : { ...document, file };
}

interface Case {
  readonly document: SettingsDocument;
  readonly dialects?: readonly Dialect[];
  readonly is: Dialect;
  /** What the note says it could be; absent: there is no note. */
  readonly could?: string;
}

const cases: Record<string, Case> = {
  'by its place, whatever stands in it': { document: settings(['Rise'], '/srv/app/.south/hooks.json'), is: south },
  'by an event that only one dialect has': { document: settings(['Set'], '/srv/hooks.json'), is: south },
  'by one such event among shared ones': { document: settings(['Tool', 'Set']), is: south },
  'not by an event that nobody has': { document: settings(['Tool', 'Noon']), is: north, could: 'north or south' },
  'as the first that could be, with a note that names the other': { document: settings(['Tool']), is: north, could: 'north or south' },
  'as the native dialect where that could be, wherever it stands in the list': {
    document: settings(['Rise']),
    dialects: [north, native],
    is: native,
    could: 'llxprt or north',
  },
  'as the first that could be, where the native one could not': {
    document: settings(['Tool']),
    dialects: [native, south, north],
    is: south,
    could: 'south or north',
  },
  'by events of two dialects that exclude each other: ambiguous': {
    document: settings(['Rise', 'Set']),
    is: north,
    could: 'north or south',
  },
  'as the native dialect where it speaks of no event': { document: settings([]), dialects: [north, native], is: native },
  'as the first dialect where it speaks of no event and there is no native one': { document: settings([]), is: north },
  'as the first dialect where it is no settings at all': { document: documentOf(null, 'settings'), is: north },
};

test.each(Object.entries(cases))('is recognised %s', (_, { document, dialects = [north, south], is, could }) => {
  const { dialect, note } = recogniseDialect(document, dialects);
  expect(dialect.name).toBe(is.name);
  if (could === undefined) expect(note).toBeUndefined();
  else expect(note).toMatchObject({ code: 'ambiguous_dialect', severity: 'note', message: expect.stringContaining(could) });
});

test('the note says how to name the other dialect, and for which file', () => {
  const { note } = recogniseDialect(settings(['Tool'], '/srv/hooks.json'), [north, south]);
  expect(note).toMatchObject({ file: '/srv/hooks.json', source: 'settings', remedy: expect.stringContaining('--dialect south') });
});

test('names that every object inherits are no events', () => {
  const events: Record<string, HookEventName> = { Tool: 'BeforeTool' };
  const { dialect, note } = recogniseDialect(settings(['constructor', 'toString']), [native, fakeDialect('east', events)]);
  expect([dialect.name, note]).toEqual(['llxprt', undefined]);
});
