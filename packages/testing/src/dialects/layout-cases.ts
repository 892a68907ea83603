import type { HookDefinition } from '@tenterhook/protocol';
import type { DialectCase, DialectScene } from './dialect-case.js';
import { hooksOf, sampleHook } from './sample-settings.js';
import { shown } from './violations.js';

const numbers = [0, 1, 2, 3, 4, 5, 6];

/** In which order hooks run. */
export const layoutCases: readonly DialectCase[] = [
  {
    title: 'layOut() gives every hook once, in the order of the settings, the same each time',
    run: (scene) => {
      for (const event of scene.events) {
        const all = hooksOf(
          scene,
          numbers.map((number) => sampleHook(event, number)),
        );
        const order = requireLayOut(scene, event.dialectEvent, all);
        const given = all.map(({ id }) => id);
        scene.violations.require(String(order) === String(given), `layOut() of hooks of ${event.dialectEvent}`, order, shown(given));
        // Any of them may be what is left when the others do not match.
        for (let chosen = 0; chosen < 2 ** all.length - 1; chosen += 1) {
          const some = all.filter((_, index) => (chosen >> index) % 2 === 1);
          const expected = order.filter((id) => some.some((hook) => hook.id === id));
          const came = requireLayOut(scene, event.dialectEvent, some);
          const done = `layOut() of some hooks of ${event.dialectEvent}, ${shown(some.map(({ id }) => id))}`;
          scene.violations.require(String(came) === String(expected), done, came, `the order of all of them, ${shown(expected)}`);
        }
      }
    },
  },
];

function requireLayOut({ dialect, violations }: DialectScene, spelling: string, hooks: readonly HookDefinition[]): string[] {
  const given = hooks.map(({ id }) => id);
  const done = `layOut() of ${hooks.length} hooks of ${spelling}, ${shown(given)}`;
  const stages =
    violations.pure(done, () => dialect.layOut(Object.freeze([...hooks])).map((stage) => stage.hooks.map(({ id }) => id)))?.value ?? [];
  const order = stages.flat();
  violations.require(String([...order].sort()) === String([...given].sort()), done, stages, 'each of them in one stage');
  violations.require(!stages.some((stage) => stage.length === 0), done, stages, 'no stage without a hook');
  return order;
}
