import { formatDiagnostic } from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import { type CommandContext, printError, printJson } from '../context.js';
import { CommandError, ExitStatus } from '../errors/exit-status.js';
import { findUnusableSettings, firstSteps, loadHooks } from '../hooks/load-hooks.js';
import { reportTrust } from '../hooks/trust-flags.js';
import { aborted, onInterrupt } from '../interrupt.js';
import { secretsOf } from '../recordings/recording-plan.js';
import { type NatsBus, openStream } from '../serving/connect-nats.js';
import { connectWorker, type WorkerTransport } from '../serving/connect-worker.js';
import { openHealth } from '../serving/health.js';
import { recordNamespace } from '../serving/record-namespace.js';
import { limitsOf, namespacesOf, placeOf, type ServeFlags } from '../serving/serve-flags.js';
import { ServedNamespace } from '../serving/served-namespace.js';
import { showLoad } from '../serving/show-load.js';

/**
 * Answers the requests of agents until the first signal, and then finishes what runs. Resolves to the exit status. A second signal ends the
 * process.
 */
export async function serve(flags: ServeFlags, context: CommandContext): Promise<number> {
  const place = placeOf(flags);
  const { drainTimeoutMs, healthPort, atLeastOnce } = limitsOf(flags);
  const wanted = namespacesOf(flags);
  const interruption = onInterrupt();
  const served: ServedNamespace[] = [];
  const closing: (() => Promise<void>)[] = [];
  try {
    const problems: string[] = [];
    const onProblem = (name: string) => (error: Error) => {
      problems.push(`${name}: ${error.message}`);
      printError(context, `error: ${name}: ${error.message}`);
    };
    for (const { name, directory, maxInFlight } of wanted) {
      const own = directory === undefined ? flags : { ...flags, cwd: directory };
      const { hooks, projectDir } = await loadNamespace(name, own, context);
      closing.push(() => hooks.dispose());
      const connecting = {
        namespace: name,
        atLeastOnce: atLeastOnce(maxInFlight),
        largeMessages: flags.largeMessages === true,
        signal: interruption.signal,
        onProblem: onProblem(name),
      };
      const transport = await connectWorker(place, connecting, context);
      if (transport === undefined) return ExitStatus.ok;
      closing.push(() => transport.close());
      if (flags.recordStream !== undefined) {
        // Each namespace has a stream of its own.
        const stream = wanted.length === 1 ? flags.recordStream : `${flags.recordStream}-${name}`;
        closing.push(await record({ name, hooks, projectDir, transport, stream }, flags, context));
      }
      const onAnswered = flags.json ? (line: object) => printJson(context, line) : undefined;
      const namespace = new ServedNamespace(name, hooks, transport, {
        maxInFlight,
        drainTimeoutMs,
        answersQueries: flags.loadQuery === true,
        keepsRequests: flags.atLeastOnce === true,
        onAnswered,
      });
      served.push(namespace);
      closing.push(() => namespace.close());
      namespace.onConnectionChange((state) => printError(context, `warning: ${name}: the connection is ${state}.`));
    }
    const health = healthPort === undefined ? undefined : await openHealth(healthPort, served);
    if (health !== undefined) {
      closing.push(health.close);
      printError(context, `note: http://127.0.0.1:${health.port}/healthz and /readyz report the state of this worker.`);
    }
    // Agents can ask only when nothing can fail any more. A request that a worker has received must be answered.
    for (const namespace of served) await namespace.start();
    if (problems.length > 0) {
      const message = `The NATS server does not permit what a worker needs. ${problems.join(' ')}`;
      throw new CommandError({ code: 'invalid_request', message });
    }
    printError(
      context,
      `note: serving ${served.map(({ name }) => name).join(', ')} on ${place.address}. A signal ends this worker when its requests are finished.`,
    );
    const stopShowing = showLoad(served, context);
    await aborted(interruption.signal);
    stopShowing();
    for (const { name, isDrained } of await drainAll(served)) {
      if (!isDrained) printError(context, `warning: ${name}: the connection is lost. The last answers may not have arrived.`);
    }
    const answered = served.reduce((sum, { load }) => sum + load.answered, 0);
    printError(context, `note: answered ${answered} request${answered === 1 ? '' : 's'}.`);
    return ExitStatus.ok;
  } finally {
    // A namespace may have received requests before another one failed.
    await drainAll(served);
    for (const close of closing.reverse()) await close();
    interruption.forget();
  }
}

function drainAll(served: readonly ServedNamespace[]) {
  return Promise.all(served.map(async (namespace) => ({ name: namespace.name, isDrained: await namespace.drain() })));
}

/** Loads the hooks of a namespace, and reports every problem of their settings. Throws if a file that the user named cannot be used. */
async function loadNamespace(name: string, flags: ServeFlags, context: CommandContext) {
  const { hooks, note, projectDir } = await loadHooks(flags, context);
  if (note !== undefined) printError(context, note);
  reportTrust(hooks, flags, context);
  const unusable = findUnusableSettings(hooks, flags);
  if (unusable !== undefined) {
    await hooks.dispose();
    throw new CommandError(unusable);
  }
  for (const diagnostic of hooks.diagnostics) printError(context, `${diagnostic.severity}: ${formatDiagnostic(diagnostic)}`);
  if (Object.values(hooks.hooks).every((list) => list.length === 0)) {
    printError(
      context,
      `warning: the namespace ${name} has no hooks in ${projectDir}. Its requests are answered, and nothing runs.${firstSteps(hooks)}`,
    );
  }
  return { hooks, projectDir };
}

interface RecordedNamespace {
  readonly name: string;
  readonly hooks: OpenHooks;
  readonly projectDir: string;
  readonly transport: WorkerTransport;
  readonly stream: string;
}

/** Records what a namespace answers to a stream of the server. Resolves to the function that completes the recording. */
async function record({ name, hooks, projectDir, transport, ...place }: RecordedNamespace, flags: ServeFlags, context: CommandContext) {
  const stream = await openStream('--record-stream', place.stream, flags, transport as NatsBus);
  const { recordProgress: progress = false, recordUnmasked: unmasked = false, secret = [] } = flags;
  const onFailure = (message: string) => printError(context, `warning: ${name}: ${message}`);
  const secrets = secretsOf(secret, context);
  return recordNamespace(hooks, stream, { progress, mask: !unmasked, secrets, projectDir, onFailure });
}
