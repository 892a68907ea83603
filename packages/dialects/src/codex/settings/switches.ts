import type { HookSwitches, SettingsDocument, SwitchValue } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';

type Fields = Readonly<Record<string, unknown>>;

/** The names of the switch under `features`. The second one is older. */
const switchNames = ['hooks', 'codex_hooks'] as const;

/** What Codex's user has decided about one hook. */
export interface ReviewState {
  readonly enabled?: boolean;
  /** The hash of the definition that the user has trusted. */
  readonly trustedHash?: string;
}

/** The decisions in a document by the keys of hooks. */
export interface Reviews {
  readonly states: ReadonlyMap<string, ReviewState>;
  readonly file?: string;
}

export function readSwitches(settings: Fields, { source }: SettingsDocument, reporter: Reporter): HookSwitches {
  const features = isPlainObject(settings['features']) ? settings['features'] : {};
  const found = switchNames.filter((name) => features[name] !== undefined);
  for (const name of found.filter((each) => typeof features[each] !== 'boolean'))
    reportInvalid(['features', name], features[name], reporter);
  const [deciding] = found.filter((name) => typeof features[name] === 'boolean');
  const enabled: SwitchValue<boolean> | undefined =
    deciding === undefined ? undefined : { value: features[deciding] === true, path: ['features', deciding] };
  const managedOnly = settings['allow_managed_hooks_only'];
  if (managedOnly !== undefined && typeof managedOnly !== 'boolean') reportInvalid(['allow_managed_hooks_only'], managedOnly, reporter);
  if (managedOnly === true && source !== 'managed') {
    const message = '"allow_managed_hooks_only" is read only in the administrator\'s file; in this file it is ignored.';
    reporter.report('ineffective_switch', 'warning', ['allow_managed_hooks_only'], message, {
      remedy: 'Write hooks = false under [features] to switch hooks off.',
    });
  }
  return omitUndefined({
    enabled,
    managedOnly: managedOnly === true ? { value: true as const, path: ['allow_managed_hooks_only'] } : undefined,
  });
}

/** Tests whether a switch has the wrong type. It is then unknown whether hooks should run. */
export function hasUnusableSwitch(settings: Fields): boolean {
  const features = isPlainObject(settings['features']) ? settings['features'] : {};
  const values = [...switchNames.map((name) => features[name]), settings['allow_managed_hooks_only']];
  return values.some((value) => value !== undefined && typeof value !== 'boolean');
}

/** Reads what Codex's user has decided about hooks. A repository must not decide, so its file is not read. */
export function readReviews(settings: Fields, { source, file }: SettingsDocument, reporter: Reporter): Reviews | undefined {
  const state = isPlainObject(settings['hooks']) ? settings['hooks']['state'] : undefined;
  if (state === undefined) return undefined;
  if (source !== 'user' && source !== 'managed' && !source.startsWith('settings')) {
    const message = '"hooks.state" is read only in the user\'s config.toml; in this file it is ignored.';
    reporter.report('ineffective_switch', 'warning', ['hooks', 'state'], message, { remedy: 'Remove it.' });
    return undefined;
  }
  if (!isPlainObject(state)) {
    const message = `"hooks.state" must be a table, and is ${formatValue(state)}; it is ignored.`;
    reporter.report('invalid_field', 'error', ['hooks', 'state'], message, { remedy: 'Write [hooks.state."<key>"].' });
    return undefined;
  }
  const states = Object.entries(state).flatMap(([key, value]): [string, ReviewState][] => {
    if (!isPlainObject(value)) return [];
    const { enabled, trusted_hash: trustedHash } = value;
    return [
      [
        key,
        omitUndefined({
          enabled: typeof enabled === 'boolean' ? enabled : undefined,
          trustedHash: typeof trustedHash === 'string' ? trustedHash : undefined,
        }),
      ],
    ];
  });
  return { states: new Map(states), ...omitUndefined({ file }) };
}

function reportInvalid(path: readonly string[], value: unknown, reporter: Reporter): void {
  const message = `"${path.join('.')}" must be true or false, and is ${formatValue(value)}.`;
  reporter.report('invalid_field', 'error', path, message, { remedy: 'Write true or false, without quotes.' });
}
