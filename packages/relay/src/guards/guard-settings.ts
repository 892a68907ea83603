import { isPlainObject, type RelayPolicy } from '@tenterhook/protocol';
import { suggestName } from '@tenterhook/runtime/text';

/** A guard: settings in the format of one agent, or a module that exports an engine of handlers. */
export type Guard =
  | { readonly kind: 'settings'; readonly dialect: string; readonly settings: string | Readonly<Record<string, unknown>> }
  | { readonly kind: 'module'; readonly file: string };

/** The content of `relay.json`. */
export interface GuardSettings extends RelayPolicy {
  readonly guards: readonly Guard[];
  /** Whether hooks in the settings of all agents are guards too. */
  readonly discover: boolean;
  /** Whether the agent also runs the hooks in the settings of Claude Code, if it can. */
  readonly claudeFiles: boolean;
  /** What is wrong with the file, as sentences. The rest of the file counts. */
  readonly problems: readonly string[];
}

export const defaultPolicy: RelayPolicy = { onFailure: 'open', ask: 'deny', onLoss: 'deny' };

/** The settings without a file. */
export const noGuardSettings: GuardSettings = { ...defaultPolicy, guards: [], discover: true, claudeFiles: true, problems: [] };

const words: Readonly<Record<keyof RelayPolicy, readonly string[]>> = {
  onFailure: ['open', 'closed'],
  ask: ['deny', 'native'],
  onLoss: ['deny', 'warn'],
};

const ownKeys = ['guards', 'discover', 'claudeFiles', 'agents', ...Object.keys(words)];

/**
 * Reads the content of `relay.json`. `agent` selects the part of `agents` that counts too. A file of a repository may only add guards: its
 * other keys are problems.
 */
export function readGuardSettings(value: unknown, file: string, agent: string, isOfRepository = false): GuardSettings {
  if (!isPlainObject(value)) return { ...noGuardSettings, problems: [`${file} must be a JSON object.`] };
  const problems: string[] = [];
  const known = isOfRepository ? ['guards'] : ownKeys;
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const what = isOfRepository && ownKeys.includes(key) ? 'is ignored in a repository' : 'is unknown';
    problems.push(`${file}: "${key}" ${what}. ${suggestName(key, known, `Known keys are ${known.join(', ')}.`)}`);
  }
  const guards = readGuards(value['guards'], file, problems, isOfRepository);
  if (isOfRepository) return { ...noGuardSettings, guards, problems };
  const agents = value['agents'] ?? {};
  if (!isPlainObject(agents)) problems.push(`${file}: "agents" must be an object.`);
  const own = isPlainObject(agents) && isPlainObject(agents[agent]) ? agents[agent] : {};
  const merged = { ...value, ...own };
  return {
    guards,
    problems,
    ...readPolicy(merged, file, problems),
    discover: readSwitch('discover', merged, file, problems),
    claudeFiles: readSwitch('claudeFiles', merged, file, problems),
  };
}

function readSwitch(key: string, { [key]: value }: Readonly<Record<string, unknown>>, file: string, problems: string[]): boolean {
  if (value !== undefined && typeof value !== 'boolean') problems.push(`${file}: "${key}" must be true or false.`);
  return value !== false;
}

function readPolicy(value: Readonly<Record<string, unknown>>, file: string, problems: string[]): RelayPolicy {
  const read = Object.entries(words).map(([key, allowed]) => {
    const given = value[key];
    if (given === undefined || allowed.includes(given as string)) return [key, given ?? defaultPolicy[key as keyof RelayPolicy]];
    problems.push(`${file}: "${key}" must be ${allowed.map((word) => `"${word}"`).join(' or ')}, and is ${JSON.stringify(given)}.`);
    // The stricter word counts, so that a typing error opens nothing.
    return [key, key === 'onFailure' ? 'closed' : 'deny'];
  });
  return Object.fromEntries(read) as unknown as RelayPolicy;
}

function readGuards(given: unknown, file: string, problems: string[], isOfRepository: boolean): Guard[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) {
    problems.push(`${file}: "guards" must be a list.`);
    return [];
  }
  return given.flatMap((one: unknown, index): Guard[] => {
    const { dialect, file: path, settings, module }: Readonly<Record<string, unknown>> = isPlainObject(one) ? one : {};
    if (typeof module === 'string' && !isOfRepository) return [{ kind: 'module', file: module }];
    const source = typeof path === 'string' ? path : isPlainObject(settings) ? settings : undefined;
    if (typeof dialect === 'string' && source !== undefined) return [{ kind: 'settings', dialect, settings: source }];
    const forms = isOfRepository ? 'with "dialect" and "file" or "settings"' : 'with "dialect" and "file" or "settings", or with "module"';
    problems.push(`${file}: guards[${index}] must be an object ${forms}; it does not run.`);
    return [];
  });
}
