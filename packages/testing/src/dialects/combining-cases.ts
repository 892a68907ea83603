import { diagnosticCodes, diagnosticSchema, type ParsedSettings } from '@tenterhook/protocol';
import type { DialectCase, DialectScene } from './dialect-case.js';
import { parse, sampleHook, sampleHooks, settingsFile, settingsOf } from './sample-settings.js';
import { fileDocument, givenDocument } from './settings-document.js';
import { shown } from './violations.js';

/** Settings of programs that nobody here knows, and what is no settings at all. */
const foreignSettings: readonly unknown[] = [
  {},
  null,
  undefined,
  ...[true, 7, '', 'hooks', [], ['hooks'], [{}]],
  ...[{ hooks: null }, { hooks: 7 }, { hooks: 'x' }, { hooks: [] }, { hooks: {} }, { hooks: [null] }],
  { hooks: { 'pre-commit': ['lint'], 'post-merge': { run: 'make' } } },
  { hooks: { lint: null, format: 7, test: [], build: {}, deploy: { type: 7, actions: 'x' } } },
  { repos: [{ repo: 'local', hooks: [{ id: 'lint', entry: 'lint' }] }] },
  { compilerOptions: { strict: true }, include: ['src'] },
  JSON.parse('{"hooks":{"__proto__":[],"constructor":[{}],"toString":{"type":"constructor"}}}'),
];

/** Several documents together, and which of them are the dialect's. */
export const combiningCases: readonly DialectCase[] = [
  {
    title: 'combine() loses no hook of no document: each is on or off',
    run: (scene) => {
      const { dialect, violations } = scene;
      if (dialect.combine === undefined) return;
      const parsed = ['project', 'user', 'settings', 'extension:x'].map((source) => parsedFrom(scene, source));
      const sets = [[], ...parsed.map((one) => [one]), parsed.slice(0, 2), parsed];
      for (const set of sets) {
        const done = `combine() of the sample settings as ${set.map(({ source }) => source).join(', ') || 'no document'}`;
        const came = violations.pure(done, () => {
          const { hooks = [], off = [], diagnostics = [] } = dialect.combine?.(set) ?? {};
          return { hooks: hooks.map(({ id }) => id), off: off.map(({ hook }) => hook.id), diagnostics };
        })?.value;
        if (came === undefined) continue;
        for (const diagnostic of came.diagnostics) {
          const isAbout = diagnostic.dialect === dialect.name && set.some(({ source }) => source === diagnostic.source);
          const isDocumented = Object.hasOwn(diagnosticCodes, diagnostic.code) && diagnosticSchema.safeParse(diagnostic).success;
          violations.require(
            isAbout && isDocumented,
            done,
            diagnostic,
            `a code of diagnosticCodes, ${dialect.name}, and the source of a document`,
          );
        }
        const given = set.flatMap(({ hooks }) => hooks.map(({ id }) => id));
        const kept = [...came.hooks, ...came.off];
        const lost = given.filter((id) => !kept.includes(id));
        const made = kept.filter((id, index) => !given.includes(id) || kept.indexOf(id) < index);
        violations.require(lost.length + made.length === 0, done, { lost, made }, 'every hook of the documents once, in hooks or in off');
      }
    },
  },
  {
    title: 'eventsIn() names the events of settings of its own, and none of others',
    run: ({ dialect, events: all, options, violations }) => {
      if (dialect.eventsIn === undefined) return;
      const events = all.filter(({ dialectEvent }) => !options.sharedEvents?.includes(dialectEvent));
      const namedIn = (value: unknown) =>
        violations.pure(`eventsIn() of ${shown(value)}`, () => [...(dialect.eventsIn?.(value) ?? [])])?.value ?? [];
      for (const event of events) {
        const value = settingsOf(options, [sampleHook(event, 0)]);
        const named = namedIn(value);
        violations.require(String(named) === event.dialectEvent, `eventsIn() of ${shown(value)}`, named, shown([event.dialectEvent]));
      }
      const spellings = events.map((event) => event.dialectEvent);
      const named = namedIn(
        settingsOf(
          options,
          events.map((event, number) => sampleHook(event, number)),
        ),
      );
      const missing = spellings.filter((spelling) => !named.includes(spelling));
      violations.require(missing.length === 0, 'eventsIn() of settings with a hook of each event', named, `${shown(missing)} too`);
      for (const value of foreignSettings) {
        const strange = namedIn(value);
        violations.require(strange.length === 0, `eventsIn() of ${shown(value)}`, strange, '[], because nothing of it is its own');
      }
    },
  },
];

function parsedFrom(scene: DialectScene, source: string): ParsedSettings {
  const value = settingsOf(scene.options, sampleHooks(scene));
  const file = source.includes('extension') || source === 'settings' ? undefined : `${settingsFile}.${source}`;
  const document = file === undefined ? givenDocument(value, source) : fileDocument(value, source, file);
  const parsed = parse(scene, `the sample settings as ${source}`, value, document) ?? { hooks: [], diagnostics: [] };
  return { source, ...(file === undefined ? {} : { file }), ...parsed };
}
