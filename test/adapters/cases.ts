import { test } from '@jest/globals';

/**
 * What every adapter of a framework must do. An adapter that cannot do a row gives the reason instead of a test, and its page in
 * `docs/adapters` lists the row as a loss.
 */
export const adapterCases = {
  deny: 'a denied call does not run, the model reads the reason as the result, and a call beside it runs',
  rewrite: 'the tool receives the input as a hook rewrote it; an input that does not match the schema of the tool names the hook',
  redact: 'what a hook of AfterTool replaced is nowhere: not in the result, the history, the events and the next request',
  context: 'the model reads context of AfterTool after the result, and the app receives the result of the tool itself',
  stop: 'after a stop of a hook the model is not called again, and its answer is the reason of the stop',
  ask: 'if no user can be asked, an ask is a deny; otherwise only the answer "allow" runs the tool',
  abort: 'an abort ends the hook that runs, the tool does not run, and the caller receives the abort of the framework',
  error: 'what a tool throws is thrown on as the same object, and AfterTool receives its text',
  selection: 'a tool that hooks did not select is not offered to the model, and a call of this tool is refused',
  idle: 'without hooks the framework receives the same arguments and the same results, and nothing is sent on the bus',
} as const;

export type AdapterCase = keyof typeof adapterCases;

/** The test of a row, or why the framework cannot do it. */
export type CaseAnswer = (() => void | Promise<void>) | { readonly cannot: string };

/** Defines one test for each row of `adapterCases`. `adapter` is the name of the package, and of a version if it is tested with several. */
export function testAdapter(adapter: string, answers: Readonly<Record<AdapterCase, CaseAnswer>>): void {
  for (const name of Object.keys(adapterCases) as AdapterCase[]) {
    const answer = answers[name];
    const title = `${adapter}, ${name}: ${adapterCases[name]}`;
    if (typeof answer === 'function') {
      test(title, async () => {
        await answer();
      });
    } else {
      test(`${adapter}, ${name}: not possible, ${answer?.cannot ?? 'and no reason is given'}`, () => {
        // A row that is missing, or has an empty reason, must not pass.
        if (!answer?.cannot) throw new Error(`${adapter} has neither a test nor a reason for "${name}".`);
      });
    }
  }
}
