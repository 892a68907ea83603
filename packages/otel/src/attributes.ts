/**
 * Every name that this package writes: attributes of spans and metrics, and names of instruments and logs. The tables of docs/telemetry.md are
 * generated from this file. Names of `gen_ai.*` are from semantic-conventions-genai 0.1.0, the others that are not ours from
 * semantic-conventions 1.44. The package `@opentelemetry/semantic-conventions` was rejected, because it has the names of `gen_ai.*` only as
 * deprecated ones.
 */

/** How likely it is that a name changes. Names of Tenterhook change only with a major version. */
export type Stability = 'ours' | 'stable' | 'release candidate' | 'development';

/** Where an attribute is: on spans of events, hooks or tool calls, on metrics, or on logs. */
export type Place = 'event' | 'hook' | 'tool' | 'metric' | 'log';

interface Attribute {
  readonly name: string;
  readonly on: readonly Place[];
  readonly stability: Stability;
  /** What the value means, for the documentation. */
  readonly value: string;
}

function attribute(name: string, on: readonly Place[], value: string, stability: Stability = 'ours'): Attribute {
  return { name, on, stability, value };
}

export const attributes = {
  eventName: attribute('tenterhook.event.name', ['event', 'hook', 'metric'], 'The canonical name of the event. Set at the start.'),
  correlationId: attribute('tenterhook.correlation_id', ['event', 'hook'], 'The id of all messages of the event. Set at the start.'),
  conversationId: attribute('gen_ai.conversation.id', ['event'], 'The `session_id` of the event.', 'development'),
  operationName: attribute(
    'gen_ai.operation.name',
    ['tool'],
    '`execute_tool`. No other span has it, because backends count operations by it.',
    'development',
  ),
  toolName: attribute(
    'gen_ai.tool.name',
    ['event', 'tool', 'metric'],
    'The name of the tool, on tool events. Set at the start.',
    'development',
  ),
  toolCallId: attribute('gen_ai.tool.call.id', ['event', 'tool'], 'The `tool_use_id`, on tool events. Set at the start.', 'development'),
  verdict: attribute('tenterhook.verdict', ['event', 'tool', 'metric'], '`none`, `allow`, `ask` or `deny`.'),
  verdictStop: attribute('tenterhook.verdict.stop', ['event'], 'Whether a hook wants the agent loop to end.'),
  verdictBy: attribute('tenterhook.verdict.by', ['event'], 'The ids of the hooks whose decision is the verdict, at most 16.'),
  verdictReason: attribute('tenterhook.verdict.reason', ['event'], 'The reason of the verdict. Only with `content`.'),
  eventInput: attribute('tenterhook.event.input', ['event'], 'The input of the event as JSON. Only with `content`.'),
  hooksRun: attribute('tenterhook.hooks.run', ['event'], 'The number of hooks that ran.'),
  hooksSkipped: attribute('tenterhook.hooks.skipped', ['event'], 'The number of hooks of the event that did not run.'),
  changes: attribute('tenterhook.changes', ['event'], 'The number of values that hooks rewrote.'),
  hookId: attribute('tenterhook.hook.id', ['hook'], 'The id of the hook. Set at the start, like the next eight.'),
  hookName: attribute(
    'tenterhook.hook.name',
    ['hook', 'metric'],
    'The name of the hook, if it has one. Of a path or a command, the file or program; of an address, the host.',
  ),
  hookDialect: attribute('tenterhook.hook.dialect', ['hook', 'metric'], 'The format of the hook.'),
  hookSource: attribute('tenterhook.hook.source', ['hook'], 'Where the hook comes from, such as `project`.'),
  hookKind: attribute('tenterhook.hook.kind', ['hook', 'metric'], '`command`, `http`, `call` or `host`.'),
  hookStage: attribute('tenterhook.hook.stage', ['hook'], 'The index of its stage in the plan, from 0.'),
  hookAsync: attribute('tenterhook.hook.async', ['hook'], '`true` if the event does not wait for the hook.'),
  hookOnce: attribute('tenterhook.hook.once', ['hook'], '`true` if the hook runs once per session.'),
  hookOnError: attribute('tenterhook.hook.on_error', ['hook'], '`continue` or `block`.'),
  hookStatus: attribute('tenterhook.hook.status', ['hook', 'metric'], 'The status of the outcome, such as `blocked`.'),
  hookDecision: attribute('tenterhook.hook.decision', ['hook', 'metric'], '`allow`, `ask` or `deny`, if the hook decided.'),
  hookRewrote: attribute('tenterhook.hook.rewrote', ['hook'], '`true` if its output has a rewrite.'),
  hookFailedClosed: attribute('tenterhook.hook.failed_closed', ['hook'], '`true` if a failure was turned into a deny.'),
  hookLate: attribute('tenterhook.hook.late', ['hook'], '`true` if the hook ended after its event.'),
  hookWarnings: attribute('tenterhook.hook.warnings', ['hook'], 'The codes of its warnings, at most 16.'),
  stdoutSize: attribute('tenterhook.hook.stdout.size', ['hook'], 'The bytes that the hook printed to stdout.'),
  stderrSize: attribute('tenterhook.hook.stderr.size', ['hook'], 'The bytes that the hook printed to stderr.'),
  hookStdin: attribute('tenterhook.hook.stdin', ['hook'], 'The beginning of its input, if outcomes have it. Only with `content`.'),
  hookStdout: attribute('tenterhook.hook.stdout', ['hook'], 'What it printed to stdout. Only with `content`.'),
  hookStderr: attribute('tenterhook.hook.stderr', ['hook'], 'What it printed to stderr. Only with `content`.'),
  exitCode: attribute('process.exit.code', ['hook'], 'The exit code of a command.', 'release candidate'),
  responseStatus: attribute('http.response.status_code', ['hook'], 'The status of the answer to a request.', 'stable'),
  serverAddress: attribute('server.address', ['hook'], 'The host of a request. Its path and query are never written.', 'stable'),
  urlScheme: attribute('url.scheme', ['hook'], '`http` or `https`.', 'stable'),
  errorType: attribute(
    'error.type',
    ['event', 'hook', 'tool', 'metric'],
    'The code of the error or of the failure. Absent without one.',
    'stable',
  ),
  verdictByCount: attribute('tenterhook.verdict.by.count', ['log'], 'The number of hooks whose decision is the verdict.'),
  diagnosticCode: attribute('tenterhook.diagnostic.code', ['log'], 'The code of a problem in the settings.'),
  fileName: attribute('file.name', ['log'], 'The name of the settings file, without its folder.', 'development'),
  lineNumber: attribute('code.line.number', ['log'], 'The line in the settings file, from 1.', 'stable'),
  skipReason: attribute('tenterhook.hook.skip_reason', ['metric'], 'Why the hooks did not run, such as `matcher`.'),
  circuitState: attribute('tenterhook.circuit.state', ['event', 'metric'], '`closed`, `open` or `half-open`.'),
} as const satisfies Readonly<Record<string, Attribute>>;

/** Names of spans, span events and logs. */
export const names = {
  eventSpan: 'fire_hooks',
  hookSpan: 'run_hook',
  toolSpan: 'execute_tool',
  queued: 'hook.queued',
  started: 'hook.started',
  circuitChanged: 'circuit.changed',
  hookFailed: 'tenterhook.hook.failed',
  eventDenied: 'tenterhook.event.denied',
  settingsProblem: 'tenterhook.settings.problem',
} as const;

/** The instruments, each with its unit and what it counts. */
export const instruments = {
  eventDuration: { name: 'tenterhook.event.duration', unit: 's', description: 'Duration of events' },
  hookDuration: { name: 'tenterhook.hook.duration', unit: 's', description: 'Duration of runs of hooks' },
  decisions: { name: 'tenterhook.hook.decisions', unit: '{decision}', description: 'Decisions of hooks' },
  skips: { name: 'tenterhook.hook.skips', unit: '{hook}', description: 'Hooks that did not run' },
  rewrites: { name: 'tenterhook.rewrites', unit: '{rewrite}', description: 'Values that hooks rewrote' },
  running: { name: 'tenterhook.hooks.running', unit: '{hook}', description: 'Hooks that run now' },
  queued: { name: 'tenterhook.hooks.queued', unit: '{hook}', description: 'Hooks that wait for a place to run' },
  circuitChanges: { name: 'tenterhook.circuit.changes', unit: '{change}', description: 'Changes of circuits' },
  toolDuration: { name: 'gen_ai.execute_tool.duration', unit: 's', description: 'Duration of tool calls, with their hooks' },
} as const;

/** Seconds. The SDK's default buckets are made for milliseconds. */
export const durationBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60];
