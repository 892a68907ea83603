import { formatDiagnostic, type HookDefinition, type HookTrust, hookEventNames, type LoadSkip } from '@tenterhook/protocol';
import { isOfRepository, levelOf } from '@tenterhook/protocol/internal';
import { inShell } from '@tenterhook/runtime/text';
import type { CreateHooksOptions } from '../../create-hooks-options.js';
import type { OpenHooks } from '../../hooks.js';
import { type CommandContext, printError, resolvePath } from '../context.js';
import { CommandError, UsageError } from '../errors/exit-status.js';

/** The flags that trust hooks of a project for one command. They store nothing. */
export interface TrustFlags {
  /** A file with pins of hooks. These hooks are trusted, in addition to those that the user has accepted. */
  readonly trustPins?: string;
  /** Trusts all hooks of the project. */
  readonly trustProject?: boolean;
}

/**
 * Returns the option `trust` of `createHooks`. Throws if the file of pins cannot be used, because hooks with these pins should run and
 * would be skipped.
 */
export async function trustOf(
  { trustPins, trustProject }: TrustFlags,
  projectDir: string,
  context: CommandContext,
): Promise<Pick<CreateHooksOptions, 'trust'>> {
  if (trustProject === true) return { trust: 'all' };
  if (trustPins === undefined) return {};
  // An empty value may come from an unset variable. It is refused, because as a path it would mean the current directory.
  if (trustPins === '') throw new UsageError('--trust-pins is empty. Pass a file with the output of tenterhook trust --pins.');
  const { readPinsFile } = await import('@tenterhook/trust');
  const read = readPinsFile(resolvePath(context, trustPins), projectDir);
  if ('pins' in read) return { trust: { mode: 'store', pins: read.pins } };
  const { problem } = read;
  throw new CommandError({ code: 'invalid_settings', message: formatDiagnostic(problem), details: { diagnostics: [problem] } });
}

/** The part of the loaded hooks that `reportTrust` reads. */
type HooksOfProject = Pick<OpenHooks, 'hooks'>;

/**
 * Prints one line on stderr if hooks are skipped because they are not trusted, or if all hooks are trusted for this command. Users must
 * notice a guard that does not run. Hooks that the user has denied are not mentioned.
 */
export function reportTrust(
  { hooks }: HooksOfProject,
  { trustProject, cwd }: TrustFlags & { readonly cwd?: string },
  context: CommandContext,
): void {
  const untrusted = untrustedHooks({ hooks });
  // A policy of the administrator may override --trust-project. Then some hooks are still untrusted, and the note would be wrong.
  if (trustProject === true && untrusted.length === 0)
    printError(context, 'note: --trust-project: all hooks of the project are trusted for this command.');
  const isOwn = (hook: (typeof untrusted)[number]) => hook.trust.state === 'changed' && !isOfRepository(levelOf(hook));
  const own = untrusted.filter(isOwn).length;
  const countOf = (state: string) => untrusted.filter((hook) => hook.trust.state === state && !isOwn(hook)).length;
  const [added, changed, refused] = [countOf('new'), countOf('changed'), countOf('refused')];
  const all = added + changed + own + refused;
  if (all === 0) return;
  const isOne = all === 1;
  const what =
    changed + own + refused === 0
      ? `${isOne ? 'it is' : 'they are'} not trusted`
      : [
          ...(added === 0 ? [] : [`${added} not trusted`]),
          ...(changed === 0 ? [] : [`${changed} changed since ${changed === 1 ? 'it was' : 'they were'} trusted`]),
          ...(own === 0 ? [] : [`${own} of your own settings may run files of the project`]),
          ...(refused === 0 ? [] : [`${refused} refused`]),
        ].join(', ');
  const command = `tenterhook trust${cwd === undefined ? '' : ` --cwd ${inShell(cwd)}`}`;
  const remedy = added + changed + own === 0 ? `Run ${command} --show to see why.` : `Run ${command}.`;
  printError(context, `warning: ${all} hook${isOne ? '' : 's'} of this project ${isOne ? 'does' : 'do'} not run: ${what}. ${remedy}`);
}

/** Returns the hooks that do not run because they are not trusted, in the order of the catalogue. */
export function untrustedHooks({ hooks }: HooksOfProject): (HookDefinition & { readonly trust: HookTrust; readonly skip: LoadSkip })[] {
  return hookEventNames.flatMap((eventName) => hooks[eventName].filter(isUntrusted));
}

function isUntrusted(hook: HookDefinition): hook is HookDefinition & { readonly trust: HookTrust; readonly skip: LoadSkip } {
  return hook.trust !== undefined && hook.trust.state !== 'trusted' && hook.skip?.skipReason === 'untrusted';
}
