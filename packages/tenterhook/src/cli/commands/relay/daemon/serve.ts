import { realpathSync } from 'node:fs';
import { policyIn } from '@tenterhook/protocol/internal';
import { Daemon, type DaemonAnswer, type DaemonRequest, findDaemonPlace, ownAgent, TwinAnswers } from '@tenterhook/relay';
import { getStampNow } from '../../../../settings/watch/file-stamps.js';
import { type CommandContext, printError } from '../../../context.js';
import { CommandError, ExitStatus, UsageError } from '../../../errors/exit-status.js';
import { ownFile, version } from '../../../version.js';
import { answerCall, findGuarded, type RelayCall } from '../answer/answer-call.js';
import { budgetOf, policyOfFlags, readEntryWords } from '../answer/run-flags.js';
import { relayedDialects } from '../relayed-agent.js';
import type { DaemonState } from './ask.js';
import { ResidentSystems } from './resident-systems.js';

export interface ServeRelayFlags {
  /** Seconds without an event after which the daemon ends. */
  readonly idle?: string;
}

const idleSeconds = 30 * 60;
/** On a machine that runs tests, no process should stay for long. */
const idleSecondsInCi = 60;
const lookMs = 30_000;
const maxMemoryBytes = 512 * 1024 * 1024;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Answers clients until the daemon is stopped, idle or outdated. */
export async function relayServe({ idle }: ServeRelayFlags, context: CommandContext): Promise<number> {
  const idleMs = secondsOf(idle, context.env['CI'] ? idleSecondsInCi : idleSeconds) * 1000;
  const place = findDaemonPlace(context.env);
  if ('problem' in place) throw new CommandError({ code: 'invalid_request', message: place.problem });
  const { socket } = place;
  const systems = new ResidentSystems();
  const rests = new Set<Promise<void>>();
  const isOutdated = watchProgram();
  const started = new Date().toISOString();
  let events = 0;
  const answer = prepareWith(systems, (rest) => {
    events += 1;
    const ending = rest.catch(() => {}).then(() => void rests.delete(ending));
    rests.add(ending);
  });
  let daemon: Daemon | undefined;
  const prepare = async (request: DaemonRequest) => {
    if (request.agent !== ownAgent) return answer(request);
    return async (): Promise<DaemonAnswer> => {
      // This request is a connection too.
      const running = (daemon?.open ?? 1) - 1;
      const state: DaemonState = { pid: process.pid, version, started, events, running, systems: systems.size };
      if (request.event === 'stop') daemon?.stop();
      return { exit: 0, stdout: `${JSON.stringify(state)}\n`, stderr: '' };
    };
  };
  daemon = await Daemon.listen({ socket, prepare, isOutdated, idleMs, lookMs, maxMemoryBytes });
  if (daemon === undefined) {
    printError(context, `note: a daemon of the relay listens on ${socket} already.`);
    return ExitStatus.ok;
  }
  printError(context, `note: the daemon of the relay (pid ${process.pid}, version ${version}) listens on ${socket}.`);
  const forget = onSignals(daemon, systems);
  // A guard in this process may throw where nothing catches it. The events that run are answered, and the next client starts anew.
  const onError = (error: unknown) => {
    printError(context, `error: ${(error as Error | undefined)?.stack ?? String(error)}`);
    daemon?.stop();
  };
  process.on('uncaughtException', onError);
  try {
    await daemon.ended;
    await Promise.all(rests);
    await systems.close();
  } finally {
    process.off('uncaughtException', onError);
    forget();
  }
  return ExitStatus.ok;
}

function secondsOf(given: string | undefined, usual: number): number {
  if (given === undefined) return usual;
  const seconds = Number(given);
  if (seconds > 0 && seconds <= 86_400) return seconds;
  throw new UsageError(`--idle must be a number of seconds from 1 to 86400, and is ${JSON.stringify(given)}.`);
}

/** Returns how to answer an event. Requests with an unknown agent or word are left to `relay run`, which explains them. */
function prepareWith(systems: ResidentSystems, onRest: (rest: Promise<void>) => void) {
  const twins = new TwinAnswers();
  return async (request: DaemonRequest): Promise<(() => Promise<DaemonAnswer>) | undefined> => {
    const { event, text, cwd: current, environment } = request;
    const agent = relayedDialects.find(({ name }) => name === request.agent);
    const flags = readEntryWords(request.words);
    if (agent === undefined || flags === undefined) return undefined;
    let call: RelayCall;
    let options: string;
    try {
      const budgetMs = budgetOf(flags.budget, agent.relay.events[event]);
      const leftMs = flags.left === undefined ? budgetMs : Math.min(budgetMs, budgetOf(flags.left, undefined));
      call = { agent, event, text, policy: policyOfFlags(flags), until: performance.now() + leftMs, current, environment };
      const guarded = await findGuarded(call);
      // A module may import others, and read the environment: only a process of its own loads all of it as it is now.
      if (guarded.found.modules.length > 0) return undefined;
      call = { ...call, guarded };
      options = JSON.stringify([{ ...policyIn(guarded.found.settings), ...call.policy }, flags.budget, guardedBy(environment)]);
    } catch {
      return undefined;
    }
    const judge = async () => {
      const answer = await answerCall(call, systems);
      onRest(answer.rest());
      return answer;
    };
    return () => twins.answer({ agent: agent.name, event, text, options, isOfProject: flags.project === true }, judge);
  };
}

/** Variables that a shell sets, and in which two entries differ if the agent starts only one of them with a shell. */
const ofShells = ['_', 'OLDPWD', 'PWD', 'SHLVL'];

/**
 * Returns the variables that decide which guards run, and how. An entry of a project may set others than the agent, and then must not answer
 * for the entry of the user.
 */
function guardedBy(environment: DaemonRequest['environment']): readonly (readonly [string, string])[] {
  return Object.entries(environment)
    .filter(([name]) => !ofShells.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Returns a function that tests whether an update has replaced this program. */
function watchProgram(): () => boolean {
  const script = realpathSync(process.argv[1] ?? '');
  const files = [script, ownFile('package.json')];
  const stamps = files.map(getStampNow);
  return () => files.some((file, index) => getStampNow(file) !== stamps[index]);
}

/** The first signal lets the events that run end, the second stops their guards, and the third ends the process. */
function onSignals(daemon: Daemon, systems: ResidentSystems): () => void {
  let count = 0;
  const onSignal = () => {
    count += 1;
    if (count === 1) daemon.stop();
    else if (count === 2) systems.abort();
    else process.exit(ExitStatus.expectedFailure);
  };
  for (const name of signals) process.on(name, onSignal);
  return () => {
    for (const name of signals) process.off(name, onSignal);
  };
}
