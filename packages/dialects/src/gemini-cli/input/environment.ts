import type { HookDefinition, HookEvent } from '@tenterhook/protocol';
import type { GeminiHost, RedactionLists } from '../options.js';
import { dataOf } from '../settings/hook-data.js';

type Environment = Readonly<Record<string, string>>;

/**
 * Returns the environment of a hook process. Variables from the hook's own definition are added last, so they are never removed as
 * secrets.
 */
export function createEnvironment(
  { input, projectDir }: HookEvent,
  hook: HookDefinition,
  parent: Environment,
  host: GeminiHost,
): Environment {
  const { env, redactions = [] } = dataOf(hook);
  return {
    ...redacted(parent, host.redaction === undefined ? redactions : [...redactions, host.redaction]),
    GEMINI_PROJECT_DIR: projectDir,
    ...variable('GEMINI_CWD', input.cwd),
    ...variable('GEMINI_SESSION_ID', input.session_id),
    ...variable('GEMINI_PLANS_DIR', host.plansDir),
    CLAUDE_PROJECT_DIR: projectDir,
    ...env,
  };
}

/**
 * Returns a variable with its value. A process could not start with a value that an environment cannot contain, so this value is
 * left out.
 */
function variable(name: string, value: unknown): Environment {
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? { [name]: value } : {};
}

/** Removes the variables whose name or value looks like a secret. A variable is kept only if all lists permit it. */
export function redacted(environment: Environment, lists: readonly RedactionLists[]): Environment {
  if (lists.length === 0) return environment;
  const passes = lists.map(({ allowed = [], blocked = [] }) => {
    const [open, shut] = [namesIn(allowed), namesIn(blocked)];
    return (name: string, value: string) => open.has(name) || (!shut.has(name) && !isSecret(name, value));
  });
  return Object.fromEntries(Object.entries(environment).filter(([name, value]) => passes.every((pass) => pass(name.toUpperCase(), value))));
}

/** Variables that are never removed, because programs need them. A path such as `/home/key` is not a secret. */
const needed = new Set(
  ['PATH', 'HOME', 'SHELL', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'PATHEXT', 'COMSPEC', 'SYSTEMROOT', 'SYSTEMDRIVE'].concat([
    'WINDIR',
    'USERPROFILE',
  ]),
);

const secretName = /TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT/;

/**
 * Values that look like a key, in variables with a harmless name. Each pattern begins with fixed text, so that the search in a long
 * value takes linear time.
 */
const secretValues: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)/,
  // A URL with a password.
  /:\/\/[^\s/:@]{1,256}:[^\s/@]{1,256}@/,
  /\bgh[opsur]_[A-Za-z0-9]{36}|\bgithub_pat_[A-Za-z0-9_]{22}/,
  /\bsk-[A-Za-z0-9_-]{20}|\b[rs]k_(?:live|test)_[A-Za-z0-9]{16}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bA[KS]IA[A-Z0-9]{16}/,
  /\bxox[a-z]-[A-Za-z0-9-]{10}/,
  // A JSON Web Token.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\./,
];

function isSecret(name: string, value: string): boolean {
  if (needed.has(name) || name.startsWith('GEMINI_CLI_')) return false;
  return secretName.test(name) || secretValues.some((pattern) => pattern.test(value));
}

function namesIn(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toUpperCase()));
}
