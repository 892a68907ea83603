import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { areWords, askDaemon, clientBounds, factIn, findDaemonPlace, listens } from '@tenterhook/relay';
import { version } from './version.js';

/**
 * The client for machines without the compiled one. The script `tenterhook-hook` starts it for each event, with the path of the file beside
 * the script. With any other exit status than 0, 2 and 64 the script prints the answer for a failure, which this file has.
 */
const [facts = '', agent = '', event = '', ...words] = process.argv.slice(2);
const failed = 70;
const { defaultBudgetMs, longestBudgetS, arrivalMs, startingMs, maxInputBytes } = clientBounds;

// The agent may be gone before it is answered.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
void answer().then(
  (status) => {
    process.exitCode = status;
  },
  () => {
    process.exitCode = failed;
  },
);

async function answer(): Promise<number> {
  const seconds = Number(words[words.lastIndexOf('--budget') + 1]);
  const budgetMs = seconds > 0 && seconds <= longestBudgetS && words.includes('--budget') ? seconds * 1000 : defaultBudgetMs;
  const budgetUntil = performance.now() + budgetMs;
  const input = await readInput(budgetMs);
  if (input === undefined) return failed;
  const { chunks, rest } = input;
  const runHere = (reason?: string) => answerHere(input, budgetUntil, reason);
  if (rest !== undefined || process.env['TENTERHOOK_RELAY_DAEMON'] === '0') return runHere();
  const place = findDaemonPlace(process.env);
  if ('problem' in place) return runHere(place.problem.replace(/\.$/, ''));
  if (agent === '' || event === '' || !areWords([agent, event, ...words])) return runHere();
  const request = {
    version,
    agent,
    event,
    words,
    ...currentFolder(),
    environment: process.env as Record<string, string>,
    text: Buffer.concat(chunks).toString('utf8'),
  };
  if (!(await listens(place.socket))) {
    const { startDaemon } = await import('./commands/relay/daemon/start-daemon.js');
    const text = readFileSync(facts, 'utf8');
    const [node = process.execPath, script = ''] = [factIn(text, 'node'), factIn(text, 'script')];
    const waitMs = Math.min(startingMs, (budgetUntil - performance.now()) / 3);
    const start = { socket: place.socket, node, script, log: factIn(text, 'log'), environment: process.env, waitMs };
    if (!(await startDaemon(start))) return runHere('the daemon could not be started');
  }
  const left = ['--left', String(Math.max(1, budgetUntil - performance.now()) / 1000)];
  const reply = await askDaemon(
    place.socket,
    { ...request, words: [...words, ...left] },
    { budgetUntil, answeredBy: budgetUntil + arrivalMs },
  );
  if (reply.kind === 'lost') return failed;
  if (reply.kind === 'not-taken') return runHere('the daemon did not take the event');
  process.stderr.write(reply.answer.stderr);
  process.stdout.write(reply.answer.stdout);
  return reply.answer.exit;
}

interface Input {
  readonly chunks: readonly Buffer[];
  /** What follows, if the input is too large for the daemon. */
  readonly rest?: AsyncIterator<Buffer>;
}

/** Reads stdin to its end, or until it is too long for the daemon. Resolves to undefined if the agent does not end it in time. */
async function readInput(waitMs: number): Promise<Input | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
      // A stream that is still read keeps the process from ending.
      process.stdin.destroy();
    }, waitMs);
  });
  try {
    return await Promise.race([readAll(), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(): Promise<Input> {
  const input = process.stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const chunks: Buffer[] = [];
  for (let bytes = 0; bytes <= maxInputBytes; ) {
    const { value, done } = await input.next();
    if (done === true) return { chunks };
    chunks.push(value);
    bytes += value.length;
  }
  return { chunks, rest: input };
}

function currentFolder(): { cwd?: string } {
  try {
    return { cwd: process.cwd() };
  } catch {
    return {};
  }
}

/** Has the event answered in this process, in what is left of the budget. */
async function answerHere({ chunks, rest }: Input, budgetUntil: number, reason?: string): Promise<number> {
  const leftMs = budgetUntil - performance.now();
  if (leftMs <= 0) return failed;
  const { run } = await import('./run.js');
  async function* all() {
    yield* chunks;
    for (;;) {
      const next = await rest?.next();
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  }
  const stdin = Readable.from(all(), { objectMode: false });
  const reasons = reason === undefined ? [] : ['--without-daemon', reason];
  const left = ['--budget', String(leftMs / 1000)];
  return run(['relay', 'run', '--agent', agent, '--event', event, ...words, ...left, ...reasons], { stdin });
}
