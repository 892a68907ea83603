import { UsageError } from '../errors/exit-status.js';
import type { SettingsFlags } from '../hooks/load-hooks.js';

/** The flags of `tenterhook trust`. Without one of the flags `show` to `allowOwner`, the command asks about the hooks. */
export interface TrustForm extends Pick<SettingsFlags, 'dialect' | 'cwd' | 'extension' | 'guards'> {
  readonly show?: boolean;
  readonly diff?: boolean;
  readonly pins?: boolean;
  readonly revoke?: boolean;
  readonly all?: boolean;
  readonly project?: string;
  readonly allowOwner?: string;
  readonly json?: boolean;
  readonly exitCode?: boolean;
}

/** Throws a UsageError for flags that exclude each other. */
export function checkForm(hook: string | undefined, flags: TrustForm): void {
  const forms = [
    flags.show && '--show',
    flags.diff && '--diff',
    flags.pins && '--pins',
    flags.revoke && '--revoke',
    flags.allowOwner !== undefined && !flags.revoke && '--allow-owner',
  ].filter((form) => typeof form === 'string');
  const [form, other] = forms;
  if (other !== undefined) throw new UsageError(`${form} and ${other} cannot be used together. Run the command once for each.`);
  if ((flags.all || flags.project !== undefined) && !flags.revoke)
    throw new UsageError(
      `${flags.all ? '--all' : '--project'} can only be used with --revoke. Write tenterhook trust --revoke ${flags.all ? '--all' : '--project <dir>'}.`,
    );
  if (flags.json && (flags.revoke || flags.diff || flags.allowOwner !== undefined))
    throw new UsageError('--json can only be used with --show and --pins. Leave it out.');
  const whole = flags.all
    ? '--all'
    : flags.project !== undefined
      ? '--project'
      : flags.allowOwner !== undefined
        ? '--allow-owner'
        : undefined;
  if (hook !== undefined && whole !== undefined) throw new UsageError(`${whole} is not about one hook. Leave out "${hook}".`);
}
