import { isPlainObject, nearestName } from '@tenterhook/protocol';

const known = [
  'bus',
  'circuitBreaker',
  'cwd',
  'dialect',
  'dialects',
  'executors',
  'extensions',
  'handlers',
  'isTrusted',
  'limits',
  'projectDir',
  'sessionId',
  'settings',
  'sources',
  'strict',
  'transcriptPath',
  'watch',
];

/** An option that is not known would be a guard that is not there: wrong use, said at once. Throws a TypeError. */
export function requireOptions(options: object): void {
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const nearest = nearestName(option, known);
    throw new TypeError(
      `createHooks has no option "${option}". ${nearest === undefined ? `It has ${known.join(', ')}.` : `Did you mean "${nearest}"?`}`,
    );
  }
  const { extensions, watch } = options as { extensions?: unknown; watch?: unknown };
  if (watch !== undefined && watch !== false) {
    throw new TypeError('createHooks: "watch" is reserved and not carried out yet; call reload() when settings have changed.');
  }
  if (extensions === undefined) return;
  if (!Array.isArray(extensions)) throw new TypeError('createHooks: "extensions" must be an array of { name, hooks, active }.');
  for (const [index, extension] of extensions.entries()) requireExtension(extension, `extensions[${index}]`);
}

export function requireExtension(extension: unknown, what: string): void {
  if (isPlainObject(extension) && typeof extension['name'] === 'string' && extension['name'] !== '' && 'hooks' in extension) return;
  throw new TypeError(`createHooks: ${what} must be { name, hooks, active } with a name.`);
}
