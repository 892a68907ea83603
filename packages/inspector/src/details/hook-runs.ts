import { type Fields, fieldsOf, listOf, resultOfResponse, textOf } from '../store/fields.js';

/** What the messages of an event say about one run of a hook. */
export interface HookRun {
  readonly outcome: Fields;
  /** The outcome at its end, which follows the response if the hook ran on. */
  readonly end: Fields;
  /** What it read, if the agent tells it. */
  readonly input: Fields;
}

/** The runs of an answered event, in plan order. */
export function hookRuns(response: Fields, progress: readonly Fields[]): HookRun[] {
  const late = new Map(progress.filter((step) => step['late'] === true).map((step) => [step['hookId'], fieldsOf(step['outcome'])]));
  return listOf(resultOfResponse(response)['outcomes'])
    .filter(({ status }) => status !== 'skipped')
    .map((outcome) => {
      const { hookId, status, recheck } = outcome;
      // The response was sent before the hook ended, so its end says more.
      const end = status === 'detached' ? late.get(hookId) : undefined;
      return { outcome, end: end ?? outcome, input: inputOf(hookId, progress, recheck === true) };
    });
}

/** What a hook has read. A hook that was asked again has read twice. */
export function inputOf(hookId: unknown, progress: readonly Fields[], again: boolean): Fields {
  const own = progress.filter((step) => step['kind'] === 'hook-input' && step['hookId'] === hookId);
  return own.find(({ recheck }) => (recheck === true) === again) ?? {};
}

/** A text that a hook has read or printed. */
export function textOfRun({ end, input }: HookRun, name: string): string | undefined {
  return name === 'stdin' ? (textOf(input['stdin']) ?? textOf(end['stdin'])) : textOf(end[name]);
}
