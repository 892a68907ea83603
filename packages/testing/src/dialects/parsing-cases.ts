import { type HookDefinition, hookIdOf, isHookEventName } from '@tenterhook/protocol';
import type { DialectCase, DialectScene, SampleHook } from './dialect-case.js';
import { ownFields } from './sample-inputs.js';
import { isHookOf, parse, sampleHook, sampleHooks, settingsFile, settingsOf, usualMachine } from './sample-settings.js';
import { type FileDocument, fileDocument, givenDocument } from './settings-document.js';
import { shown } from './violations.js';

/** Names that are keys of objects, parts of paths and of ids, and texts for a shell. */
const oddNames = ['plain', 'with space', 'a/b', 'a.b', 'a-1', '-', '"quoted"', "it's", 'naïve 🦀', 'constructor', 'x'.repeat(300)].sort();

const longestTimeoutMs = 2_147_483_647;

/** What becomes of settings in which nothing is wrong. */
export const parsingCases: readonly DialectCase[] = [
  {
    title: 'its events are events of the catalogue, and settings can be written for each of them',
    run: ({ dialect, events, options, violations }) => {
      const written = events.map((event) => event.eventName);
      for (const [spelling, canonical] of Object.entries(dialect.events ?? {})) {
        const done = `events: ${spelling} is ${shown(canonical)}`;
        if (!isHookEventName(canonical)) violations.add(done, 'no event of that name', 'a name of the event catalogue');
        else violations.require(written.includes(canonical), `${done}; settings() with a hook of it`, undefined, 'settings');
      }
      violations.require(events.length > 0, 'settings() with a hook of each event', written, 'settings for one event at least');
      for (const spelling of Object.keys(options.eventFields ?? {})) {
        const isTried = events.some(({ dialectEvent }) => dialectEvent === spelling);
        violations.require(isTried, 'eventFields', spelling, `a spelling of the dialect: ${Object.keys(dialect.events ?? {}).join(', ')}`);
      }
      const { eventName } = options.answers;
      violations.require(written.includes(eventName), 'answers.eventName', eventName, `an event of the dialect: ${written.join(', ')}`);
    },
  },
  {
    title: 'parse() gives every hook of a file, each with where it is from and what it is for',
    run: (scene) => {
      const { violations } = scene;
      const samples = sampleHooks(scene);
      const value = settingsOf(scene.options, samples);
      const document = fileDocument(value, 'project', settingsFile);
      const parsed = parse(scene, 'the sample settings', value, document);
      if (parsed === undefined) return;
      const { hooks, diagnostics, isUnusable } = parsed;
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      violations.require(errors.length === 0 && isUnusable !== true, 'parse() of the sample settings', { isUnusable, errors }, 'no error');
      for (const sample of samples) {
        const [hook, ...others] = hooks.filter((candidate) => isHookOf(candidate, sample.command));
        const done = `parse() of settings with ${shown(sample)}`;
        if (hook === undefined || others.length > 0)
          violations.add(done, shown(hooks), 'one hook of it, with its command as it was written');
        else requireHook(scene, hook, sample, document, done);
      }
      violations.require(hooks.length === samples.length, 'parse() of the sample settings', hooks, `${samples.length} hooks`);
    },
  },
  {
    title: 'hook ids begin with dialect, source and event, are unique, and the same each time',
    run: (scene) => {
      for (const event of scene.events) {
        requireIds(
          scene,
          oddNames.map((name, number) => sampleHook(event, number, { name })),
        );
      }
      requireIds(scene, sampleHooks(scene));
    },
  },
];

function requireHook(
  { dialect, options, violations }: DialectScene,
  hook: HookDefinition,
  sample: SampleHook,
  document: FileDocument,
  done: string,
): void {
  const { source, file, eventName, dialectEvent, timeoutMs, onError, line, skip } = hook;
  const require = (holds: boolean, field: string, came: unknown, expected: string) =>
    violations.require(holds, `${done}: ${field} of the hook`, came, expected);
  require(hook.dialect === dialect.name, 'dialect', hook.dialect, dialect.name);
  require(source === 'project', 'source', source, 'project');
  require(file === settingsFile, 'file', file, settingsFile);
  require(eventName === sample.eventName, 'eventName', eventName, sample.eventName);
  const meant = dialect.events === undefined ? dialectEvent : dialect.events[dialectEvent];
  require(meant === eventName, 'dialectEvent', dialectEvent, `a spelling of ${eventName}`);
  // An old spelling may be told as the present one. Those that run on other events each may not.
  const isOneOfSeveral = [dialectEvent, sample.dialectEvent].some((each) => ownFields(options.eventFields, each) !== undefined);
  require(!isOneOfSeveral || dialectEvent === sample.dialectEvent, 'dialectEvent', dialectEvent, sample.dialectEvent);
  require(timeoutMs >= 1 && timeoutMs <= longestTimeoutMs, 'timeoutMs', timeoutMs, `1 to ${longestTimeoutMs}`);
  require(sample.timeoutMs === undefined || timeoutMs === sample.timeoutMs, 'timeoutMs', timeoutMs, String(sample.timeoutMs));
  require(onError === 'continue' || onError === 'block', 'onError', onError, 'continue or block');
  require(skip === undefined, 'skip', skip, 'none: nothing is wrong with it');
  require(line === undefined || document.told.has(line), 'line', line, 'none, or a line that locate() told');
}

function requireIds({ dialect, options, violations }: DialectScene, samples: readonly SampleHook[]): void {
  const value = settingsOf(options, samples);
  const names = samples.map(({ name }) => name);
  for (const source of ['project', 'extension:a/b']) {
    const done = `ids of hooks of the source ${source} named ${shown(names)}`;
    const parsed = () => dialect.parse(givenDocument(value, source), usualMachine).hooks.map(({ id, eventName }) => ({ id, eventName }));
    const hooks = violations.pure(done, parsed)?.value ?? [];
    for (const { id, eventName } of hooks) {
      const beginning = hookIdOf(dialect.name, source, eventName, '');
      const isRight = id.startsWith(beginning) && id.length > beginning.length && id.split('/').length === 4;
      violations.require(isRight, done, id, `${beginning} and a name without a slash (hookIdOf writes ids)`);
    }
    const ids = hooks.map(({ id }) => id);
    const repeated = ids.filter((id, index) => ids.indexOf(id) < index);
    violations.require(repeated.length === 0, done, { repeated }, 'each id once');
  }
}
