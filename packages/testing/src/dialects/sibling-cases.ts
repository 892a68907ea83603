import type { DialectCase, DialectScene, SampleHook } from './dialect-case.js';
import { isInside, type Mutation, mutationsOf, type Path, pathOfText } from './mutations.js';
import { isHookOf, parse, runs, sampleHook, settingsOf } from './sample-settings.js';
import { shown } from './violations.js';

/** What a mistake in one hook means for the hooks beside it. */
export const siblingCases: readonly DialectCase[] = [
  {
    title: 'a bad hook is dropped and stays in the list as invalid; the good one beside it runs',
    run: (scene) => {
      for (const event of scene.events) {
        const bad = sampleHook(event, 1, { timeoutMs: 5000 });
        const [before, behind] = [sampleHook(event, 0), sampleHook(event, 2)];
        requireSibling(scene, [bad, behind], bad, behind);
        requireSibling(scene, [before, bad], bad, before);
      }
    },
  },
];

function requireSibling(scene: DialectScene, hooks: readonly SampleHook[], bad: SampleHook, good: SampleHook): void {
  const settings = settingsOf(scene.options, hooks);
  const [leaf, beside] = [bad, good].map(({ command }) => pathOfText(settings, command));
  if (leaf === undefined || beside === undefined) {
    scene.violations.add(`settings() of ${shown(hooks)}`, shown(settings), 'the command of each hook, as it was given');
    return;
  }
  // Below where the two part, all is the bad one's own.
  const own = leaf.slice(0, 1 + leaf.findIndex((step, index) => step !== beside[index]));
  for (const mutation of mutationsOf(settings).filter(({ path }) => isInside(path, own))) {
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

/** Where the command stands, there is none: its event is known all the same. */
function isNoCommand({ path, put }: Mutation, leaf: Path): boolean {
  return path.length === leaf.length && isInside(path, leaf) && typeof put !== 'string';
}
