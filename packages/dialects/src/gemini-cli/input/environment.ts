import type { HookDefinition, HookEvent } from '@tenterhook/protocol';
import type { GeminiHost, RedactionLists } from '../options.js';
import { dataOf } from '../settings/hook-data.js';

type Environment = Readonly<Record<string, string>>;

/** The environment of a hook. Its own variables come last and are never redacted: the settings set them on purpose. */
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

/** A value that an environment cannot hold is left out, because the hook could not be started with it. */
function variable(name: string, value: unknown): Environment {
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? { [name]: value } : {};
}

/** Without the variables whose name or value looks secret. A variable has to pass every list. */
export function redacted(environment: Environment, lists: readonly RedactionLists[]): Environment {
  if (lists.length === 0) return environment;
  const passes = lists.map(({ allowed = [], blocked = [] }) => {
    const [open, shut] = [namesIn(allowed), namesIn(blocked)];
    return (name: string, value: string) => open.has(name) || (!shut.has(name) && !isSecret(name, value));
  });
  return Object.fromEntries(Object.entries(environment).filter(([name, value]) => passes.every((pass) => pass(name.toUpperCase(), value))));
}

/** Programs need these to run; a path with "key" in it is not a key. */
const needed = new Set(
  ['PATH', 'HOME', 'SHELL', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'PATHEXT', 'COMSPEC', 'SYSTEMROOT', 'SYSTEMDRIVE'].concat([
    'WINDIR',
    'USERPROFILE',
  ]),
);

const secretName = /TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT/;

/** Values that are keys under a harmless name. Each pattern begins with a fixed text, so that a long value is read once. */
const secretValues: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)/,
  // A password in an address.
  /:\/\/[^\s/:@]{1,256}:[^\s/@]{1,256}@/,
  /\bgh[opsur]_[A-Za-z0-9]{36}|\bgithub_pat_[A-Za-z0-9_]{22}/,
  /\bsk-[A-Za-z0-9_-]{20}|\b[rs]k_(?:live|test)_[A-Za-z0-9]{16}/,
  /\bAIza[A-Za-z0-9_-]{35}/,
  /\bA[KS]IA[A-Z0-9]{16}/,
  /\bxox[a-z]-[A-Za-z0-9-]{10}/,
  // A signed token of JSON.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\./,
];

function isSecret(name: string, value: string): boolean {
  if (needed.has(name) || name.startsWith('GEMINI_CLI_')) return false;
  return secretName.test(name) || secretValues.some((pattern) => pattern.test(value));
}

function namesIn(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toUpperCase()));
}
