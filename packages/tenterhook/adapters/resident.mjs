import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/**
 * Runs a function for each event. `handle` receives the event, and returns nothing or an object with the answer in `output` (or `stdout`),
 * `exitCode` (2 denies) and `stderr`. Works as a resident hook ("mode": "resident") and with a process for each event. What `handle` writes
 * with `console.log` goes to stderr.
 */
export async function answerEvents(handle) {
  console.log = console.error;
  const answer = async (input) => {
    try {
      return (await handle(input)) ?? {};
    } catch (error) {
      return { exitCode: 1, stderr: String(error?.stack ?? error) };
    }
  };
  if (process.env['TENTERHOOK_MODE'] === 'resident') {
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, input } = JSON.parse(line);
      process.stdout.write(`${JSON.stringify({ id, ...(await answer(input)) })}\n`);
    }
  } else {
    const { exitCode = 0, output, stdout, stderr = '' } = await answer(JSON.parse(await text(process.stdin)));
    process.stdout.write(stdout ?? (output === undefined ? '' : JSON.stringify(output)));
    process.stderr.write(stderr);
    process.exitCode = exitCode;
  }
}
