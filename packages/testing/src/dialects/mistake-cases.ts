import { type Diagnostic, diagnosticCodes, diagnosticSchema, type ParsedDocument } from '@tenterhook/protocol';
import type { DialectCase, DialectScene } from './dialect-case.js';
import { type Mutation, mutationsOf, pathsOf, withValueAt } from './mutations.js';
import { notPlainJson } from './plain-json.js';
import { emptyMachine, parse, runs, sampleHooks, settingsFile, settingsOf } from './sample-settings.js';
import { type FileDocument, fileDocument, givenDocument } from './settings-document.js';
import { shown } from './violations.js';

/** How deep settings are nested that nobody wrote by hand. */
const deep = 10_000;

/** What becomes of settings in which something is wrong. */
export const mistakeCases: readonly DialectCase[] = [
  {
    title: 'whatever stands anywhere in the settings, parse() does not throw, and what it says is about that document',
    run: (scene) => {
      for (const { what, settings } of mutationsOf(settingsOf(scene.options, fewHooks(scene)))) {
        const text = JSON.stringify(settings);
        const document = fileDocument(settings, 'project', settingsFile);
        const parsed = parse(scene, `settings in which ${what}`, settings, document);
        if (parsed !== undefined) requireUsable(scene, parsed, document, what);
        const isSame = JSON.stringify(settings) === text;
        scene.violations.require(isSame, `parse() of settings in which ${what}`, settings, 'that it changes none of it');
        parse(scene, `settings in which ${what}, on a machine without files and home`, settings, givenDocument(settings), emptyMachine);
      }
      const { polluted } = {} as { polluted?: unknown };
      scene.violations.require(polluted === undefined, 'parse() of keys such as __proto__', { polluted }, 'no object to have them');
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
    title: 'a document that is no object is unusable, and an error says so',
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
    title: 'what keeps a hook from running is said',
    run: (scene) => {
      const sample = settingsOf(scene.options, fewHooks(scene));
      const before = running(parse(scene, 'the sample settings', sample));
      for (const mutation of mutationsOf(sample)) {
        if (mayBeMeant(mutation)) continue;
        const { what, settings } = mutation;
        const parsed = parse(scene, `settings in which ${what}`, settings);
        if (parsed === undefined || running(parsed) >= before) continue;
        const done = `parse() of settings in which ${what}, after which ${running(parsed)} hooks run and not ${before}`;
        scene.violations.require(parsed.diagnostics.length > 0, done, parsed.diagnostics, 'a diagnostic that says why');
      }
    },
  },
];

/** Of one event that can be blocked and one other: everything of a format stands in the settings of two. */
function fewHooks(scene: DialectScene) {
  const other = scene.events.find((event) => event !== scene.answersEvent);
  const events = [scene.answersEvent, other].filter((event) => event !== undefined);
  return sampleHooks({ ...scene, events });
}

/** Who leaves hooks out, empties a list of them, throws a switch or writes settings without hooks wants no hooks. */
function mayBeMeant({ path, was, put }: Mutation): boolean {
  if (put === undefined || (typeof put === typeof was && typeof was === 'boolean')) return true;
  return typeof put === 'object' && put !== null && (path.length === 0 || Object.keys(put).length === 0);
}

function running(parsed: ParsedDocument | undefined): number {
  return parsed?.hooks.filter(runs).length ?? 0;
}

function requireUsable({ dialect, violations }: DialectScene, parsed: ParsedDocument, { told }: FileDocument, what: string): void {
  const done = `parse() of settings in which ${what}`;
  for (const { id, timeoutMs, source, file } of parsed.hooks) {
    violations.require(timeoutMs >= 1 && timeoutMs <= 2_147_483_647, `${done}: timeoutMs of ${id}`, timeoutMs, '1 to 2147483647');
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
    violations.require(told.has(line), done, diagnostic, 'a diagnostic with a line that locate() told');
    violations.require(Object.hasOwn(diagnosticCodes, code), done, diagnostic, 'a code of diagnosticCodes');
    const isPlain = diagnosticSchema.safeParse(diagnostic).success && notPlainJson(diagnostic) === undefined && message !== '';
    violations.require(isPlain, done, diagnostic, 'a diagnostic as plain JSON, with a message');
  }
}
