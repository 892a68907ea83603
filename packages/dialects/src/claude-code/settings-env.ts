import { isPlainObject } from '@tenterhook/runtime/json';
import type { Reporter } from '../shared/settings/reporter.js';
import { formatValue } from '../shared/text.js';

type Variables = Readonly<Record<string, string>>;

/** `env` of a settings file. What is no text is said and not set. */
export function readEnv(settings: Readonly<Record<string, unknown>>, reporter: Reporter): { env?: Variables } {
  const { env } = settings;
  if (env === undefined) return {};
  if (!isPlainObject(env)) {
    const message = `"env" is ${formatValue(env)} and not an object; it is ignored.`;
    reporter.report('invalid_field', 'error', ['env'], message, { remedy: 'Write { "NAME": "value" }.' });
    return {};
  }
  const entries = Object.entries(env).filter(([name, value]) => {
    if (typeof value === 'string' && !`${name}${value}`.includes('\0') && name !== '') return true;
    const message = `The variable is ${formatValue(value)} and not a text; it is not set.`;
    reporter.report('invalid_field', 'error', ['env', name], message, { remedy: `Write "${name}": "…".` });
    return false;
  });
  return { env: Object.fromEntries(entries) as Variables };
}

/** Who has the last word on a variable, as in Claude Code. */
const order = ['user', 'settings', 'project', 'local', 'managed'];

/** Variables of several files, those of the nearer one over those of the farther. */
export function mergedEnv(documents: readonly { readonly source: string; readonly env: Variables | undefined }[]): Variables {
  const placeOf = (source: string) => order.indexOf(source.split(':')[0] as string);
  return Object.assign({}, ...[...documents].sort((a, b) => placeOf(a.source) - placeOf(b.source)).map(({ env }) => env ?? {}));
}
