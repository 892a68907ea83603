// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.

import type { AggregatedHookResult, HookOutcome } from '@tenterhook/protocol';
import type { CreateHooksOptions } from 'tenterhook';
import { outcomeAt, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';

/**
 * A resident hook that misbehaves at its first event, and answers the later ones. `say` prints an answer to the event, with this text as
 * output. The hook is started again after some faults, so a file says that the first event is over.
 */
export function misbehavingOnce(text: string): string {
  return `say() { printf '{"id":%s,"output":{"systemMessage":"%s"}}\\n' "$id" "$1"; }
while IFS= read -r line; do id=\${line#*:}; id=\${id%%,*}
if [ -e "over-$NAME" ]; then say good; else : > "over-$NAME"; ${text}
fi; done`;
}

/** Fires one event with the two hooks below. */
export type Fire = (input?: Record<string, unknown>) => Promise<AggregatedHookResult>;

/** Two resident hooks with this text: "open", whose failures are ignored, and "closed", whose failures deny. */
export function withResidents(
  command: string,
  use: (fire: Fire, scene: Scene) => Promise<void>,
  { timeout = 20_000, ...options }: CreateHooksOptions & { readonly timeout?: number } = {},
): Promise<void> {
  const hook = (name: string) => ({ name, command, mode: 'resident', timeout, env: { NAME: name } });
  const settings = settingsOf('BeforeTool', [hook('open'), { ...hook('closed'), onError: 'block' }]);
  return withHooks({ settings, limits: { stdoutBytes: 1_000_000, killGraceMs: 200 }, ...options }, (scene) =>
    use((input = {}) => scene.handler.fireBeforeToolEvent('write_file', input), scene),
  );
}

/** The same failure of both hooks: it is visible, and denies for "closed". */
export function expectFailures(result: AggregatedHookResult, status: HookOutcome['status'], code: string): void {
  expect(result.verdict).toMatchObject({ kind: 'deny', by: ['llxprt/settings/BeforeTool/closed'] });
  const failure = { status, route: { kind: 'resident' } };
  const codes = (index: number) => outcomeAt(result, index).warnings.map((warning) => warning.code);
  expect(outcomeAt(result, 0)).toMatchObject({ name: 'open', ...failure });
  expect(outcomeAt(result, 1)).toMatchObject({ name: 'closed', ...failure, failedClosed: true });
  expect(codes(0)).toContain(code);
  expect(codes(1)).toContain(code);
}

/** Both hooks have answered, in their resident processes. Returns the codes of their warnings. */
export function expectGood(result: AggregatedHookResult, message = 'good'): string[] {
  expect(result.verdict.kind).toBe('none');
  const answered = { status: 'succeeded', route: { kind: 'resident' }, output: { systemMessage: message } };
  expect(result.outcomes).toMatchObject([answered, answered]);
  return [...new Set(result.outcomes.flatMap(({ warnings }) => warnings.map(({ code }) => code)))];
}

/** A hook that fails in this way at its first event, and then answers. */
export function failsOnce(
  text: string,
  status: HookOutcome['status'],
  code: string,
  options?: CreateHooksOptions & { readonly timeout?: number; readonly input?: Record<string, unknown> },
): Promise<void> {
  return withResidents(
    misbehavingOnce(text),
    async (fire) => {
      expectFailures(await fire(options?.input), status, code);
      expect(expectGood(await fire())).toEqual([]);
    },
    options,
  );
}
