import { defaultDialects } from '@tenterhook/dialects';
import { TrustStoreError } from '@tenterhook/trust';
import { type CommandContext, printError } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';
import { findAgent } from '../trust/agent-marks.js';
import { checkForm, type TrustForm } from '../trust/forms.js';

/**
 * Asks which hooks of a repository may run, shows what was decided, or removes decisions. Runs no hook. `hook` is the id or the name of one
 * hook. Resolves to the exit status.
 */
export async function trust(hook: string | undefined, flags: TrustForm, context: CommandContext): Promise<number> {
  checkForm(hook, flags);
  try {
    if (flags.show || (flags.json && !flags.diff && !flags.pins))
      return await (await import('../trust/show.js')).show(hook, flags, context);
    if (flags.pins) return await (await import('../trust/show.js')).showPins(hook, flags, context);
    if (flags.diff) return await (await import('../trust/show-changes.js')).showChanges(hook, flags, context);
    const refusal = refusalIn(flags, context);
    if (refusal !== undefined) {
      printError(context, refusal);
      return ExitStatus.expectedFailure;
    }
    if (flags.revoke) return await (await import('../trust/revoke.js')).revoke(hook, flags, context);
    if (flags.allowOwner !== undefined) return (await import('../trust/allow-owner.js')).allowOwner(flags, context);
    return await (await import('../trust/ask.js')).ask(hook, flags, context);
  } catch (error) {
    if (!(error instanceof TrustStoreError)) throw error;
    printError(context, `trust_store: ${error.message}`);
    return ExitStatus.expectedFailure;
  }
}

/** Returns why no decision can be made here, or undefined. Only a person at a terminal may decide: a model must not answer for its user. */
function refusalIn({ revoke, allowOwner }: TrustForm, { env, stdin, stdout }: CommandContext): string | undefined {
  const mark = findAgent(env, defaultDialects());
  if (mark !== undefined) {
    return `inside_agent: The variable ${mark.variable} is set, so this command was started by ${mark.who}. Only a person may decide which hooks run. Run the command in a terminal outside of the agent. tenterhook trust --show works inside of the agent too.`;
  }
  if (revoke || allowOwner !== undefined) return undefined;
  const [stream] = [stdin.isTTY ? undefined : 'stdin', stdout.isTTY ? undefined : 'stdout'].filter((name) => name !== undefined);
  if (stream === undefined) return undefined;
  return (
    `not_a_terminal: tenterhook trust asks questions, and ${stream} is not a terminal. Run it in a terminal. ` +
    'In CI, pass an option to the other commands: --trust-pins <file> trusts hooks whose pins are in a file outside of the project (tenterhook trust --pins prints pins), ' +
    'and --trust-project trusts the whole project for one run. To see the hooks without a question, run tenterhook trust --show.'
  );
}
