import { parse } from 'node:path';
import type { Diagnostic, ParsedSettings } from '@tenterhook/protocol';
import { pathText } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { describeThrown, inShell } from '@tenterhook/runtime/text';
import { readJsonDocument, type ValuePath } from './json-document.js';
import { createOwnerCheck } from './owner-check.js';
import { judgeOwner, type TrustedOwners } from './owners.js';
import { closedPolicy, completePolicy, noPolicy, policySchema, type TrustPolicy } from './policy.js';
import { readGuardedFile } from './read-guarded-file.js';

/** The policy of the administrator. */
export interface PolicyFile {
  readonly file: string;
  /** If the file does not exist, the policy limits nothing. If it cannot be used, no hook of a repository runs. */
  readonly policy: TrustPolicy;
  /** Why the file cannot be used. Absent if the file can be used or does not exist. */
  readonly problem?: Diagnostic;
  /** What the policy requires of all hooks, as settings of the administrator. Absent if there is no usable policy. */
  readonly settings?: ParsedSettings;
}

export interface PolicyFileOptions {
  /** **Default** the place of this system (`placeOfPolicy`) */
  readonly file?: string;
  /** Who may own and write the file and the folders above it. Undefined on systems without owners. **Default** root */
  readonly owners?: TrustedOwners | undefined;
}

const maxPolicyBytes = 1024 * 1024;

/**
 * Returns the path of the policy. The path is fixed, on Windows too. `%ProgramData%` was rejected, because a program that starts an agent
 * could set this variable and so replace the policy.
 */
export function placeOfPolicy(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return 'C:\\ProgramData\\Tenterhook\\policy.json';
  return platform === 'darwin' ? '/Library/Application Support/Tenterhook/policy.json' : '/etc/tenterhook/policy.json';
}

/**
 * Reads the policy of the administrator. If the file exists but cannot be used, no hook of a repository runs. Otherwise a user could break
 * the policy to allow everything.
 */
export function readPolicy({ file = placeOfPolicy(), owners = rootAlone() }: PolicyFileOptions = {}): PolicyFile {
  const found = readGuardedFile(file, maxPolicyBytes, (stats) => judgeOwner(file, stats, owners)?.message);
  if (found === undefined) return { file, policy: noPolicy };
  if ('problem' in found) return closed(file, `The policy ${found.problem}`, forOwner(file));
  const refusal = createOwnerCheck(parse(file).root, owners)(file);
  if (refusal !== undefined) return closed(file, refusal.message, forOwner(refusal.path));
  try {
    return parsePolicy(file, new TextDecoder('utf-8', { fatal: true }).decode(found.bytes));
  } catch (error) {
    // Invalid UTF-8, or nested so deeply that the stack overflowed.
    return closed(file, `The policy cannot be read: ${describeThrown(error)}`, forContent);
  }
}

function parsePolicy(file: string, text: string): PolicyFile {
  const document = readJsonDocument(text);
  if ('problem' in document) return closed(file, `The policy ${document.problem}`, forContent, document.line);
  const { success, data, error } = z.safeParse(policySchema, document.value);
  if (!success) {
    const { path = [], message } = error.issues[0] ?? {};
    const where = pathText(path as (string | number)[]);
    return closed(file, `The policy is invalid: ${where === '' ? '' : `"${where}": `}${message}`, forContent, document.lineOf(path));
  }
  const policy = completePolicy(data);
  const { hosts, env } = data.http ?? {};
  const settings: ParsedSettings = {
    source: 'managed',
    file,
    hooks: [],
    diagnostics: [],
    locate: (path: ValuePath) => ({ line: document.lineOf(path), column: 1 }),
    switches: {
      ...(policy.managedHooksOnly ? { managedOnly: { value: true, path: ['managedHooksOnly'] } } : {}),
      ...(hosts === undefined ? {} : { allowedUrls: { value: hosts, path: ['http', 'hosts'] } }),
      ...(env === undefined ? {} : { allowedHeaderVariables: { value: env, path: ['http', 'env'] } }),
    },
  };
  return { file, policy, settings };
}

const forContent = 'Correct the file, as root.';

function forOwner(path: string): string {
  return `It must be a regular file. No user except root may have write access to it or to the directories above it: sudo chown root ${inShell(path)} && sudo chmod go-w ${inShell(path)}.`;
}

function closed(file: string, what: string, remedy: string, line?: number): PolicyFile {
  const problem: Diagnostic = {
    code: 'trust_policy',
    severity: 'error',
    message: `${what.replace(/\.$/, '')}. No hook of a repository runs.`,
    remedy,
    file,
    ...(line === undefined ? {} : { line }),
    source: 'managed',
  };
  return { file, policy: closedPolicy, problem };
}

function rootAlone(): TrustedOwners | undefined {
  return process.platform === 'win32' ? undefined : { uids: new Set([0]), isTrustedGroup: () => false };
}
