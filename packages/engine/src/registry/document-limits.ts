import type { Diagnostic, ParsedDocument, ReadingBudget, SettingsDocument } from '@tenterhook/protocol';
import { isOfRepository } from '@tenterhook/protocol/internal';
import { omitUndefined, pathText } from '@tenterhook/runtime/json';
import { type DocumentPath, levelOfDocument } from './levels/leveled-settings.js';

/**
 * The limits of a document that may come with a repository, that is, of the level `local`, `project` or `extension`. Agents read such a
 * document before their users have seen it, so it must not freeze or crash the agent. Documents of a user, an administrator or the
 * program have no such limits.
 */
const ofRepository = {
  bytes: 1024 * 1024,
  hooks: 1_000,
  /** Every URL of a hook is compared with every pattern of `allowedUrls`. */
  urls: 1_000,
  /** Compiling patterns with this number of instructions takes about 100 ms and 8 MB. */
  instructions: 100_000,
  /** The number of problems after which reading stops. */
  problems: 5_000,
} as const;

/** The limit for other documents: a thousand times the size that hooks need. */
const bytesOfUser = 8 * 1024 * 1024;

/** Returns the maximum size of a settings file of a source, in bytes. */
export function getMaxSettingsBytes(source: string): number {
  return isOfRepository(levelOfDocument({ source })) ? ofRepository.bytes : bytesOfUser;
}

/**
 * Reads a document within the limits of its level. If the document exceeds one of them, none of its hooks are used, because the hooks
 * before the limit may be only half of a guard. If an earlier version of the file was within the limits, its hooks stay in use.
 */
export function readWithinLimits(
  dialect: string,
  document: SettingsDocument,
  read: (document: SettingsDocument) => ParsedDocument,
): ParsedDocument {
  if (!isOfRepository(levelOfDocument(document))) return read(document);
  const budget = new Budget();
  const parsed = read({ ...document, budget });
  const exceeded = budget.exceeded ?? findExceeded(parsed);
  if (exceeded === undefined) return parsed;
  const { source, file } = document;
  const { path, message, remedy } = exceeded;
  const diagnostic: Diagnostic = {
    code: 'settings_too_large',
    severity: 'error',
    message: `${message}. Nothing in these settings is used.`,
    remedy,
    ...omitUndefined({ file }),
    ...(path === undefined ? {} : { ...document.locate(path), path: pathText(path) }),
    dialect,
    source,
  };
  return { hooks: [], diagnostics: [diagnostic], isUnusable: true };
}

interface Exceeded {
  readonly message: string;
  readonly remedy: string;
  readonly path?: DocumentPath;
}

const orMove = 'or move them to the settings of the user, which have no such limit';

function tooManyHooks(path?: DocumentPath): Exceeded {
  const message = `The file has more than ${ofRepository.hooks} hooks. Invalid groups and unknown events count as hooks`;
  return { message, remedy: `Remove hooks, ${orMove}.`, ...omitUndefined({ path }) };
}

/** Finds exceeded limits that dialects do not report: too many URL patterns, or too many hooks if the dialect ignored the budget. */
function findExceeded({ hooks, switches }: ParsedDocument): Exceeded | undefined {
  if (hooks.length > ofRepository.hooks) return tooManyHooks();
  const { allowedUrls } = switches ?? {};
  if (allowedUrls === undefined || allowedUrls.value.length <= ofRepository.urls) return undefined;
  const message = `The list has ${allowedUrls.value.length} patterns of URLs, more than ${ofRepository.urls}`;
  return { message, remedy: `Remove some, ${orMove}.`, path: allowedUrls.path };
}

class Budget implements ReadingBudget {
  #hooks = 0;
  #instructions = 0;
  #problems = 0;
  /** The first limit that was exceeded. */
  exceeded: Exceeded | undefined;

  countHook(path: DocumentPath): void {
    this.#hooks += 1;
    if (this.#hooks > ofRepository.hooks) this.#end(tooManyHooks(path));
  }

  countPattern(instructions: number, path: DocumentPath): void {
    this.#instructions += instructions;
    if (this.#instructions <= ofRepository.instructions) return;
    const message = `With this pattern, the matchers and conditions of the file together compile to more than ${ofRepository.instructions} instructions of the pattern engine`;
    this.#end({ message, remedy: `Shorten the patterns, lower their repeat counts, ${orMove}.`, path });
  }

  countDiagnostic(path: DocumentPath): void {
    this.#problems += 1;
    if (this.#problems <= ofRepository.problems) return;
    this.#end({ message: `There are more than ${ofRepository.problems} problems`, remedy: 'Correct or remove these settings.', path });
  }

  #end(exceeded: Exceeded): never {
    this.exceeded ??= exceeded;
    throw new Error(exceeded.message);
  }
}
