import {
  type Diagnostic,
  diagnosticCodes,
  type HookDefinition,
  hookIdOf,
  isHookEventName,
  type ParsedDocument,
} from '@tenterhook/protocol';
import { diagnosticSchema } from '@tenterhook/protocol/internal';
import { longestTimerMs } from '@tenterhook/runtime/async';
import type { DialectCase, DialectScene, SampleHook } from './dialect-case.js';
import { isInside, type Mutation, mutationsOf, type Path, pathOfText, pathsOf, withValueAt } from './mutations.js';
import { isAnswersEvent } from './printed.js';
import {
  emptyMachine,
  type FileDocument,
  fileDocument,
  givenDocument,
  isHookOf,
  ownFields,
  parse,
  runs,
  sampleHook,
  sampleHooks,
  settingsFile,
  settingsOf,
  usualMachine,
} from './samples.js';
import { notPlainJson, shown } from './violations.js';

/** Names with special characters of paths, ids and shells, and names of inherited properties. */
const oddNames = ['plain', 'with space', 'a/b', 'a.b', 'a-1', '-', '"quoted"', "it's", 'naïve 🦀', 'constructor', 'x'.repeat(300)].sort();

/** No person nests settings this deeply. */
const deep = 10_000;

export const settingsCases: readonly DialectCase[] = [
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
    title: 'parse() returns every hook of a file, each with its place and its event',
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
        if (hook === undefined || others.length > 0) violations.add(done, shown(hooks), 'one hook for it, with its command unchanged');
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
  {
    title: 'whatever the settings contain, parse() does not throw, and its diagnostics are about that document',
    run: (scene) => {
      for (const { what, settings } of mutationsOf(settingsOf(scene.options, fewHooks(scene)))) {
        const text = JSON.stringify(settings);
        const document = fileDocument(settings, 'project', settingsFile);
        const parsed = parse(scene, `settings in which ${what}`, settings, document);
        if (parsed !== undefined) requireUsable(scene, parsed, document, what);
        const isSame = JSON.stringify(settings) === text;
        scene.violations.require(isSame, `parse() of settings in which ${what}`, settings, 'no change of the settings');
        parse(scene, `settings in which ${what}, on a machine without files and home`, settings, givenDocument(settings), emptyMachine);
      }
      const { polluted } = {} as { polluted?: unknown };
      scene.violations.require(polluted === undefined, 'parse() of keys such as __proto__', { polluted }, 'no object with these keys');
    },
  },
  {
    title: 'settings that are nested ten thousand deep do not make parse() throw',
    run: (scene) => {
      const sample = settingsOf(scene.options, fewHooks(scene));
      for (const [open, close] of ['[]', '{}']) {
        const nested = JSON.parse(`${`${open}${open === '{' ? '"hooks":' : ''}`.repeat(deep)}7${(close as string).repeat(deep)}`);
        for (const path of pathsOf(sample)) {
          const settings = withValueAt(sample, path, nested);
          parse(scene, `settings nested ${deep} deep in ${open} at ${path.join('.')}`, settings, givenDocument(settings));
        }
      }
    },
  },
  {
    title: 'a document that is not an object is unusable, and an error reports it',
    run: (scene) => {
      for (const value of [null, true, 7, 'x', [], [{}]]) {
        const parsed = parse(scene, shown(value), value);
        if (parsed === undefined) continue;
        const { isUnusable, hooks, diagnostics } = parsed;
        const isSaid = isUnusable === true && hooks.length === 0 && diagnostics.some(({ severity }) => severity === 'error');
        const came = { isUnusable, hooks, diagnostics };
        scene.violations.require(isSaid, `parse() of ${shown(value)}`, came, 'isUnusable, an error and no hook');
      }
    },
  },
  {
    title: 'a diagnostic reports whatever keeps a hook from running',
    run: (scene) => {
      const sample = settingsOf(scene.options, fewHooks(scene));
      const before = running(parse(scene, 'the sample settings', sample));
      for (const mutation of mutationsOf(sample)) {
        if (mayBeMeant(mutation)) continue;
        const { what, settings } = mutation;
        const parsed = parse(scene, `settings in which ${what}`, settings);
        if (parsed === undefined || running(parsed) >= before) continue;
        const done = `parse() of settings in which ${what}, after which ${running(parsed)} hooks run instead of ${before}`;
        scene.violations.require(parsed.diagnostics.length > 0, done, parsed.diagnostics, 'a diagnostic that says why');
      }
    },
  },
  {
    title: 'a bad hook stays in the list as invalid and does not run; the good hook next to it runs',
    run: (scene) => {
      for (const event of scene.events) {
        const bad = sampleHook(event, 1, { timeoutMs: 5000 });
        const [before, behind] = [sampleHook(event, 0), sampleHook(event, 2)];
        requireSibling(scene, [bad, behind], bad, behind);
        // On the event of the sample answers, the bad hook is also tried after the good one. One event is enough, because the order
        // of two hooks does not depend on their event.
        if (isAnswersEvent(scene, event)) requireSibling(scene, [before, bad], bad, before);
      }
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
  // The dialect may replace an old name of an event by the current name, unless the hooks of the two names run for different
  // inputs.
  const isOneOfSeveral = [dialectEvent, sample.dialectEvent].some((each) => ownFields(options.eventFields, each) !== undefined);
  require(!isOneOfSeveral || dialectEvent === sample.dialectEvent, 'dialectEvent', dialectEvent, sample.dialectEvent);
  require(timeoutMs >= 1 && timeoutMs <= longestTimerMs, 'timeoutMs', timeoutMs, `1 to ${longestTimerMs}`);
  require(sample.timeoutMs === undefined || timeoutMs === sample.timeoutMs, 'timeoutMs', timeoutMs, String(sample.timeoutMs));
  require(onError === 'continue' || onError === 'block', 'onError', onError, 'continue or block');
  require(skip === undefined, 'skip', skip, 'undefined: the hook is valid');
  require(line === undefined || document.located.has(line), 'line', line, 'none, or a line that locate() returned');
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
      violations.require(isRight, done, id, `${beginning} followed by a name without a slash (hookIdOf makes ids)`);
    }
    const ids = hooks.map(({ id }) => id);
    const repeated = ids.filter((id, index) => ids.indexOf(id) < index);
    violations.require(repeated.length === 0, done, { repeated }, 'each id once');
  }
}

/** Returns hooks of two events, one of which can be blocked. Two events are enough to test a format. */
function fewHooks(scene: DialectScene) {
  const other = scene.events.find((event) => event !== scene.answersEvent);
  const events = [scene.answersEvent, other].filter((event) => event !== undefined);
  return sampleHooks({ ...scene, events });
}

/**
 * Tests whether an author may have intended the change, e.g. to have no hooks, an empty list or a changed switch. An intended
 * change is not a mistake, and need not be reported.
 */
function mayBeMeant({ path, was, put }: Mutation): boolean {
  if (put === undefined || (typeof put === typeof was && typeof was === 'boolean')) return true;
  return typeof put === 'object' && put !== null && (path.length === 0 || Object.keys(put).length === 0);
}

function running(parsed: ParsedDocument | undefined): number {
  return parsed?.hooks.filter(runs).length ?? 0;
}

function requireUsable({ dialect, violations }: DialectScene, parsed: ParsedDocument, { located }: FileDocument, what: string): void {
  const done = `parse() of settings in which ${what}`;
  for (const { id, timeoutMs, source, file } of parsed.hooks) {
    violations.require(timeoutMs >= 1 && timeoutMs <= longestTimerMs, `${done}: timeoutMs of ${id}`, timeoutMs, `1 to ${longestTimerMs}`);
    violations.require(
      source === 'project' && file === settingsFile,
      `${done}: place of ${id}`,
      { source, file },
      `project, ${settingsFile}`,
    );
  }
  for (const diagnostic of parsed.diagnostics) {
    const { code, message, line = 0 } = diagnostic;
    const place: Partial<Diagnostic> = { dialect: dialect.name, source: 'project', file: settingsFile };
    const isWrong = Object.entries(place).filter(([field, value]) => diagnostic[field as keyof Diagnostic] !== value);
    violations.require(isWrong.length === 0, done, diagnostic, `a diagnostic with ${shown(place)}`);
    violations.require(located.has(line), done, diagnostic, 'a diagnostic with a line that locate() returned');
    violations.require(Object.hasOwn(diagnosticCodes, code), done, diagnostic, 'a code of diagnosticCodes');
    const isPlain = diagnosticSchema.safeParse(diagnostic).success && notPlainJson(diagnostic) === undefined && message !== '';
    violations.require(isPlain, done, diagnostic, 'a diagnostic as plain JSON, with a message');
  }
}

function requireSibling(scene: DialectScene, hooks: readonly SampleHook[], bad: SampleHook, good: SampleHook): void {
  const settings = settingsOf(scene.options, hooks);
  const [leaf, beside] = [bad, good].map(({ command }) => pathOfText(settings, command));
  if (leaf === undefined || beside === undefined) {
    scene.violations.add(`settings() of ${shown(hooks)}`, shown(settings), 'the command of each hook, unchanged');
    return;
  }
  // From the step at which the two paths differ, everything belongs to the bad hook.
  const own = leaf.slice(0, 1 + leaf.findIndex((step, index) => step !== beside[index]));
  for (const mutation of mutationsOf(settings, own)) {
    const done = `parse() of settings in which ${mutation.what}`;
    const parsed = parse(scene, `settings in which ${mutation.what}`, mutation.settings);
    if (parsed === undefined) continue;
    const running = parsed.hooks.filter(runs);
    const isThere = running.filter((hook) => isHookOf(hook, good.command)).length === 1;
    scene.violations.require(isThere, done, parsed.hooks, `the hook beside it, which runs "${good.command}"`);
    if (!isNoCommand(mutation, leaf)) continue;
    scene.violations.require(parsed.diagnostics.length > 0, done, parsed.diagnostics, 'a diagnostic that says what is wrong');
    const invalid = parsed.hooks.filter(({ skip }) => skip?.skipReason === 'invalid');
    const isKept = invalid.length === 1 && running.length === 1;
    scene.violations.require(isKept, done, parsed.hooks, 'that hook with skip: invalid, and the one beside it');
  }
}

/** Tests whether the command is missing while the event of the hook is still known. */
function isNoCommand({ path, put }: Mutation, leaf: Path): boolean {
  return path.length === leaf.length && isInside(path, leaf) && typeof put !== 'string';
}
