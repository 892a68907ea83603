import type { HookSystem } from '@tenterhook/engine';
import type { HookEventName, HookServiceDescription } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';

type Questioned = Pick<HookSystem, 'explain' | 'preview' | 'checkInput'>;
type Fields = Readonly<Record<string, unknown>>;

/** Returns what a service answers to the queries `explain` and `preview`. Runs nothing. */
export function answerQuestion(
  system: Questioned,
  query: 'explain' | 'preview',
  eventName: HookEventName,
  input: Fields,
): NonNullable<HookServiceDescription['explained'] | HookServiceDescription['preview']> {
  const issues = system.checkInput(eventName, input).map(({ path, message }) => ({ path, message }));
  if (query === 'preview') {
    const hooks = system.preview(eventName, input).map(({ headers, env, ...hook }) => {
      return { ...hook, ...omitUndefined({ headers: headers && [...headers], env: env && [...env] }) };
    });
    return { hooks, issues };
  }
  const hooks = system.explain(eventName, input).hooks.map(({ hookId, name, wouldRun, reason, skipReason, stage }) => {
    return { hookId, wouldRun, reason, ...omitUndefined({ name, skipReason, stage }) };
  });
  return { hooks, issues };
}
