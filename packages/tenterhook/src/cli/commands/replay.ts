import { outcomesIn } from '@tenterhook/protocol/internal';
import {
  type ExplainedReplay,
  explainRequests,
  type RecordedExchange,
  type Recording,
  type ReplayResult,
  replayRequests,
  writeMinimal,
} from '@tenterhook/recording';
import { type CommandContext, printError, printJson, resolvePath } from '../context.js';
import { CommandError, ExitStatus, UsageError } from '../errors/exit-status.js';
import { findUnusableSettings, loadHooks, type SettingsFlags } from '../hooks/load-hooks.js';
import { reportTrust } from '../hooks/trust-flags.js';
import { onInterrupt } from '../interrupt.js';
import { type CompareFlags, compareOptionsOf, printDiff } from '../recordings/compare-flags.js';
import { readRecordings, reportingFailure } from '../recordings/read-recordings.js';
import { secretsOf } from '../recordings/recording-plan.js';

export interface ReplayFlags extends SettingsFlags, CompareFlags {
  readonly pace?: string;
  readonly filter?: string;
  readonly secret?: readonly string[];
  readonly dryRun?: boolean;
  readonly update?: boolean;
}

/**
 * Sends the requests of a recording to the hooks of the settings, and compares the answers. The hooks really run, except with `--dry-run`.
 * Resolves to the exit status: 1 if an answer differs, or if the recording cannot be used.
 */
export async function replay(file: string, flags: ReplayFlags, context: CommandContext): Promise<number> {
  const options = { ...compareOptionsOf(flags), secrets: secretsOf(flags.secret ?? [], context), pace: paceOf(flags) };
  return reportingFailure(flags, context, async () => {
    const [recording] = (await readRecordings([file], context)) as [Recording];
    const filter = (exchange: RecordedExchange) => flags.filter === undefined || isAbout(exchange, flags.filter);
    requireRequest(recording, filter, flags);
    // An agent does not watch what its hooks read, so the answers would differ.
    const { hooks, projectDir, note } = await loadHooks(flags, context, { watchesInput: false });
    if (note !== undefined) printError(context, note);
    reportTrust(hooks, flags, context);
    const interruption = onInterrupt();
    try {
      const unusable = findUnusableSettings(hooks, flags);
      if (unusable !== undefined) throw new CommandError(unusable);
      const filled = { ...options, filter, roots: { project: projectDir } };
      const result = flags.dryRun
        ? explainRequests(recording, hooks, filled)
        : await replayRequests(recording, hooks.bus, { ...filled, signal: interruption.signal });
      if (result.missing.length > 0) return refuseMissing(result, flags, context);
      const skipped = result.skipped.filter(({ code }) => code !== 'filtered');
      if (result.requests === 0 && interruption.status === undefined) throw nothingSent(skipped);
      const updates = flags.update === true && 'recording' in result && interruption.status === undefined;
      // Before anything is printed, because a failure is a JSON document of its own.
      if (updates) await update(resolvePath(context, file), result, skipped.length, context);
      printDiff(result, `${file} against ${flags.settings?.join(', ') ?? projectDir}`, flags, context, { skipped, masked: result.masked });
      for (const { ordinal, eventName, code } of skipped) printError(context, `note: #${ordinal} ${eventName} was not sent: ${code}`);
      reportMasked(result, context);
      if (interruption.status !== undefined) return interruption.status;
      if (updates) return ExitStatus.ok;
      return result.different.length === 0 ? ExitStatus.ok : ExitStatus.expectedFailure;
    } finally {
      interruption.forget();
      await hooks.dispose();
    }
  });
}

/** A replay of nothing would be "the same", so a misspelled filter would look like a success. */
function requireRequest({ exchanges }: Recording, filter: (exchange: RecordedExchange) => boolean, flags: ReplayFlags): void {
  if (exchanges.some(filter)) return;
  const message =
    flags.filter === undefined
      ? 'The recording has no request. Record an agent while it runs hooks.'
      : `No recorded request is of the event or ran the hook ${JSON.stringify(flags.filter)}. Without --filter, all requests are sent.`;
  throw new CommandError({ code: 'invalid_request', message });
}

/** Nothing was compared, so the answers are not "the same". */
function nothingSent(skipped: ReplayResult['skipped']): CommandError {
  const named = skipped.slice(0, 5).map(({ ordinal, eventName, line, code }) => `#${ordinal} ${eventName} (line ${line}): ${code}`);
  const more = skipped.length > named.length ? `, and ${skipped.length - named.length} more` : '';
  const message = `None of the recorded requests can be sent, so nothing was compared: ${named.join(', ')}${more}. Record again.`;
  return new CommandError({ code: 'invalid_request', message });
}

/** Names the requests that may differ only because a secret is missing in them. */
function reportMasked({ masked, different }: ReplayResult | ExplainedReplay, context: CommandContext): void {
  for (const { ordinal, eventName, line, code } of masked.filter((one) => different.some(({ ordinal: other }) => other === one.ordinal))) {
    const remedy = 'Its hooks may answer otherwise to the secret. Record it with --secret, or replay without hooks that read it.';
    printError(context, `note: #${ordinal} ${eventName} (line ${line}) has *** in place of a secret: ${code}. ${remedy}`);
  }
}

function isAbout(exchange: RecordedExchange, wanted: string): boolean {
  return (
    exchange.eventName === wanted ||
    (outcomesIn(exchange.response?.payload) ?? []).some(({ hookId, name }) => hookId === wanted || name === wanted)
  );
}

function paceOf({ pace }: ReplayFlags): 'recorded' | number | undefined {
  if (pace === undefined || pace === 'recorded') return pace;
  const factor = Number(/^(\d+(?:\.\d+)?)x?$/.exec(pace)?.[1] ?? Number.NaN);
  if (Number.isFinite(factor)) return factor;
  throw new UsageError(`--pace must be "recorded" or a factor such as 0.5x, and is ${JSON.stringify(pace)}.`);
}

function refuseMissing({ missing }: ReplayResult | ExplainedReplay, { json }: ReplayFlags, context: CommandContext): number {
  const [first] = missing;
  const code = first?.code ?? 'missing_secret';
  const names = missing.map(({ name }) => name);
  const remedy =
    code === 'missing_secret' ? `Set ${names.join(', ')} and pass ${names.map((name) => `--secret ${name}`).join(' ')}.` : 'Pass --cwd.';
  const message = `The recording has placeholders without a value: ${names.join(', ')}. Nothing was sent. ${remedy}`;
  if (json) printJson(context, { state: 'failed', error: { code, message } });
  printError(context, `${code}: ${message}`);
  return ExitStatus.expectedFailure;
}

/** Writes what the hooks answer now in place of the recording. Requests that were not sent would be lost, so there must be none. */
async function update(file: string, { recording }: ReplayResult, skipped: number, context: CommandContext): Promise<void> {
  if (skipped > 0) {
    const message = `--update: requests that were not sent would be lost (${skipped}), so ${file} is unchanged. Record it again.`;
    throw new CommandError({ code: 'invalid_request', message });
  }
  printError(context, `note: ${file}: ${await writeMinimal(file, recording)}.`);
}
