import { realpathSync, type Stats } from 'node:fs';
import type { Diagnostic } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue, quote } from '@tenterhook/runtime/text';
import { findRepositoryAround, realProject } from '../store/project-path.js';
import type { TrustRecord } from '../store/record.js';
import { type JsonDocument, readJsonDocument, type ValuePath } from './json-document.js';
import { findTrustedOwners, judgeOwner } from './owners.js';
import { readGuardedFile } from './read-guarded-file.js';

/** The pins of a project, as `tenterhook trust --pins` prints them for CI. Only `pin` is compared; the other fields are for people. */
export interface PinsDocument {
  readonly v: 1;
  /** The real path of the project directory. A pin is valid only there. */
  readonly project: string;
  readonly pins: readonly { readonly pin: string; readonly hook: TrustRecord['hook'] }[];
}

/** The pins of a file, or why it cannot be used. */
export type PinsFile = { readonly pins: readonly string[] } | { readonly problem: Diagnostic };

const maxPinsBytes = 1024 * 1024;

const createAnother = 'Create one with tenterhook trust --pins.';

/**
 * Reads a file with pins: a `PinsDocument` or an array of pins. `file` is an absolute path. The file must be outside of the project and
 * of the repository around it, after its links are resolved. Otherwise a repository could decide which of its hooks run.
 */
export function readPinsFile(file: string, projectDir: string): PinsFile {
  const project = realProject(projectDir);
  const real = realPathOf(file);
  if (real === undefined) return { problem: problemOf(file, 'does not exist', createAnother) };
  const around = findRepositoryAround(real, project);
  if (around !== undefined) {
    const where = around === project ? 'project' : 'repository';
    return {
      problem: problemOf(
        file,
        `is inside of the ${where} ${quote(around)}, which must not decide which of its hooks run`,
        `Keep it outside of the ${where}.`,
      ),
    };
  }
  const owners = findTrustedOwners();
  const found = readGuardedFile(real, maxPinsBytes, (stats: Stats) => judgeOwner(file, stats, owners)?.message);
  if (found === undefined) return { problem: problemOf(file, 'does not exist', createAnother) };
  if ('problem' in found) {
    const remedy = `It must be a regular file of at most ${maxPinsBytes} bytes that only you or root can write.`;
    return { problem: problemOf(file, found.problem, remedy) };
  }
  const document = readJsonDocument(new TextDecoder().decode(found.bytes));
  if ('problem' in document) return { problem: problemOf(file, document.problem, createAnother, document.line) };
  return pinsOf(document, file, project);
}

function pinsOf({ value, lineOf }: JsonDocument, file: string, project: string): PinsFile {
  const wrong = (path: ValuePath, what: string, remedy = createAnother): PinsFile => ({
    problem: problemOf(file, what, remedy, lineOf(path)),
  });
  const isDocument = isPlainObject(value);
  if (isDocument && value['v'] !== 1) return wrong(['v'], `has the version ${describeValue(value['v'])}, and only version 1 can be read`);
  if (isDocument && value['project'] !== project) {
    const remedy = `A pin is valid only for a project at the same path. Run tenterhook trust --pins where the project has the path ${quote(project)}.`;
    return wrong(
      ['project'],
      `has pins for the project ${describeValue(value['project'])}, which are not valid for ${quote(project)}`,
      remedy,
    );
  }
  const path = isDocument ? ['pins'] : [];
  const entries = isDocument ? value['pins'] : value;
  if (!Array.isArray(entries)) return wrong(path, `must have an array of pins, and has ${describeValue(entries)}`);
  const pins: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const pin: unknown = isPlainObject(entry) ? entry['pin'] : entry;
    if (typeof pin !== 'string' || !/^[0-9a-f]{64}$/.test(pin))
      return wrong([...path, index], `has a pin that must be 64 hexadecimal digits, and is ${describeValue(pin)}`);
    pins.push(pin);
  }
  return { pins };
}

/** `what` is the rest of a sentence that begins with "The file of --trust-pins". */
function problemOf(file: string, what: string, remedy: string, line?: number): Diagnostic {
  const message = `The file of --trust-pins ${what}.`;
  return { code: 'trust_pins', severity: 'error', message, remedy, file, ...(line === undefined ? {} : { line }) };
}

function realPathOf(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}
