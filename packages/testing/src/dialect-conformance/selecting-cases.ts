import { type HookDefinition, type HookEvent, skipReasons } from '@tenterhook/protocol';
import type { DialectCase, DialectEvent, DialectScene } from './dialect-case.js';
import { eventsToMatch } from './events-to-match.js';
import { hasMatcher, hooksOf, matchersOf, sampleHook } from './sample-settings.js';
import { shown } from './violations.js';

/** Which hooks run for an event. */
export const selectingCases: readonly DialectCase[] = [
  {
    title: 'select() is pure, and gives a reason',
    run: (scene) => {
      for (const event of scene.events) {
        const hooks = matchedHooks(scene, event);
        const all = eventsToMatch(event.eventName);
        // A few of each kind: with all matchers, all of them would take minutes.
        const fields = all.filter((_, index) => index % Math.ceil(all.length / 60) === 0);
        for (const hook of hooks) {
          for (const input of fields) requireSelection(scene, hook, input);
          const rounds = [0, 1].map(() => fields.map((input) => selectionOf(scene, hook, input)));
          const index = fields.findIndex((_, place) => rounds[0]?.[place] !== rounds[1]?.[place]);
          const done = `select() of ${hook.id} for ${briefly(fields[index])}, before other events and behind them`;
          scene.violations.require(index < 0, done, `${rounds[0]?.[index]} and ${rounds[1]?.[index]}`, 'one answer');
        }
      }
    },
  },
  {
    title: 'the matchers of the suite fit some tools and not others',
    run: (scene) => {
      const matchers = matchersOf(scene.options);
      for (const event of scene.events.filter(({ eventName }) => hasMatcher(eventName) && matchers.length > 0)) {
        const hooks = matchedHooks(scene, event);
        const select = (hook: HookDefinition, input: HookEvent) =>
          scene.violations.attempt('select()', () => scene.dialect.select(hook, input).run);
        const runs = eventsToMatch(event.eventName).flatMap((input) => hooks.map((hook) => select(hook, input)?.value));
        if (runs.includes(true) && runs.includes(false)) continue;
        const came = `${runs.filter((run) => run).length} of ${runs.length} selections run`;
        const remedy = 'settings() has to write the matcher, and options.matchers must be in its language';
        scene.violations.add(`select() of matchers on ${event.dialectEvent}`, came, `some that run and some that do not: ${remedy}`);
      }
    },
  },
];

/** A hook without a matcher, and one with each, where the event has something to match. */
function matchedHooks(scene: DialectScene, event: DialectEvent): readonly HookDefinition[] {
  const matchers = hasMatcher(event.eventName) ? matchersOf(scene.options) : [];
  return hooksOf(scene, [sampleHook(event, 0), ...matchers.map((matcher, index) => sampleHook(event, index + 1, { matcher }))]);
}

function requireSelection({ dialect, violations }: DialectScene, hook: HookDefinition, event: HookEvent): void {
  const done = `select() of ${shown(hook.matcher ?? 'a hook without a matcher')} for ${briefly(event)}`;
  const selection = violations.pure(done, () => dialect.select(hook, event))?.value;
  if (selection === undefined) return;
  const isReason = typeof selection.reason === 'string' && selection.reason !== '';
  const isRight = isReason && (selection.run === true || (selection.run === false && Object.hasOwn(skipReasons, selection.skipReason)));
  const expected = 'run: true or false, a reason in words, and where it does not run a skipReason of skipReasons';
  violations.require(isRight, done, selection, expected);
}

/** All that is remembered of a selection: its reason is shown to people. */
function selectionOf({ dialect }: DialectScene, hook: HookDefinition, event: HookEvent): string {
  try {
    return JSON.stringify(dialect.select(hook, event));
  } catch (error) {
    return String(error);
  }
}

function briefly(event: HookEvent | undefined): string {
  const { session_id: _id, transcript_path: _path, cwd: _cwd, hook_event_name: name, timestamp: _time, ...fields } = event?.input ?? {};
  return `${String(name)} ${shown(fields)}`;
}
