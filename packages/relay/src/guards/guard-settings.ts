import { isPlainObject, type RelayPolicy } from '@tenterhook/protocol';
import { relayPolicyWords } from '@tenterhook/protocol/internal';
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

const agentKeys = ['discover', 'claudeFiles', ...Object.keys(relayPolicyWords)];
const ownKeys = ['guards', 'agents', ...agentKeys];

/** Which agent asks, and the names that a list of guards may have. */
export interface GuardReading {
  readonly agent: string;
  readonly agents: readonly string[];
  readonly dialects: readonly string[];
  /** True for a file of a repository. It may only add guards: its other keys are problems. */
  readonly isOfRepository: boolean;
}

/** Reads the content of `relay.json`. The part of `agents` for the agent that asks counts too. */
export function readGuardSettings(value: unknown, file: string, reading: GuardReading): GuardSettings {
  const { agent, agents: names, isOfRepository } = reading;
  if (!isPlainObject(value)) return { ...noGuardSettings, problems: [`${file} must be a JSON object.`] };
  const problems: string[] = [];
  const known = isOfRepository ? ['guards'] : ownKeys;
  for (const key of Object.keys(value)) {
    if (isOfRepository && ownKeys.includes(key) && !known.includes(key)) problems.push(`${file}: "${key}" is ignored in a repository.`);
    else checkName(key, known, `${file}: "${key}"`, problems);
  }
  const guards = readGuards(value['guards'], file, problems, reading);
  if (isOfRepository) return { ...noGuardSettings, guards, problems };
  const parts = readParts(value['agents'], names, file, problems);
  const own = Object.hasOwn(parts, agent) ? parts[agent] : {};
  const merged = { ...value, ...own };
  return {
    guards,
    problems,
    ...readPolicy(merged, file, problems),
    discover: readSwitch('discover', merged, file, problems),
    claudeFiles: readSwitch('claudeFiles', merged, file, problems),
  };
}

/** A misspelt name must not go unnoticed: what it says would not count. */
function checkName(name: string, known: readonly string[], what: string, problems: string[]): void {
  if (!known.includes(name)) problems.push(`${what} is unknown. ${suggestName(name, known, `Known names are ${known.join(', ')}.`)}`);
}

/** Returns the parts of `agents` that are objects. */
function readParts(given: unknown, names: readonly string[], file: string, problems: string[]): Readonly<Record<string, object>> {
  if (given === undefined) return {};
  if (!isPlainObject(given)) {
    problems.push(`${file}: "agents" must be an object.`);
    return {};
  }
  const parts: [string, object][] = [];
  for (const [agent, part] of Object.entries(given)) {
    checkName(agent, names, `${file}: agents.${agent}`, problems);
    if (isPlainObject(part)) parts.push([agent, part]);
    else problems.push(`${file}: agents.${agent} must be an object.`);
    for (const key of isPlainObject(part) ? Object.keys(part) : [])
      checkName(key, agentKeys, `${file}: "${key}" of agents.${agent}`, problems);
  }
  return Object.fromEntries(parts);
}

function readSwitch(key: string, { [key]: value }: Readonly<Record<string, unknown>>, file: string, problems: string[]): boolean {
  if (value !== undefined && typeof value !== 'boolean') problems.push(`${file}: "${key}" must be true or false.`);
  return value !== false;
}

function readPolicy(value: Readonly<Record<string, unknown>>, file: string, problems: string[]): RelayPolicy {
  const read = Object.entries(relayPolicyWords).map(([key, allowed]: [string, readonly string[]]) => {
    const given = value[key];
    if (given === undefined || allowed.includes(given as string)) return [key, given ?? defaultPolicy[key as keyof RelayPolicy]];
    problems.push(`${file}: "${key}" must be ${allowed.map((word) => `"${word}"`).join(' or ')}, and is ${JSON.stringify(given)}.`);
    // The strictest word counts, so that a typing error opens nothing.
    return [key, allowed[0]];
  });
  return Object.fromEntries(read) as unknown as RelayPolicy;
}

function readGuards(given: unknown, file: string, problems: string[], { dialects, isOfRepository }: GuardReading): Guard[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) {
    problems.push(`${file}: "guards" must be a list.`);
    return [];
  }
  return given.flatMap((one: unknown, index): Guard[] => {
    const { dialect, file: path, settings, module }: Readonly<Record<string, unknown>> = isPlainObject(one) ? one : {};
    if (typeof module === 'string' && !isOfRepository) return [{ kind: 'module', file: module }];
    const source = typeof path === 'string' ? path : isPlainObject(settings) ? settings : undefined;
    if (typeof dialect === 'string')
      checkName(dialect, dialects, `${file}: the format ${JSON.stringify(dialect)} of guards[${index}]`, problems);
    if (typeof dialect === 'string' && source !== undefined) return [{ kind: 'settings', dialect, settings: source }];
    const forms = isOfRepository ? 'with "dialect" and "file" or "settings"' : 'with "dialect" and "file" or "settings", or with "module"';
    problems.push(`${file}: guards[${index}] must be an object ${forms}; it does not run.`);
    return [];
  });
}
