import { isAbsolute, normalize } from 'node:path';
import { FileStore } from './file-store.js';
import { placeOfStore, type StoreSurroundings } from './places.js';
import { realProject } from './project-path.js';
import { TrustStoreError } from './store-error.js';
import { storeProblem } from './store-place.js';
import type { TrustStore } from './trust-store.js';

/** Options of `openTrustStore`. */
export interface TrustStoreOptions extends StoreSurroundings {
  /** The project directory, in any spelling. */
  readonly projectDir: string;
  /** The absolute path of the store. **Default** `$XDG_STATE_HOME/tenterhook/trust`, or a directory below the home directory */
  readonly directory?: string | undefined;
}

/**
 * Opens the store of the decisions about a project. Throws a `TypeError` if `directory` is not absolute. A store that cannot be used has a
 * problem and no decisions.
 */
export function openTrustStore({ projectDir, directory: given, ...surroundings }: TrustStoreOptions): TrustStore {
  if (given !== undefined && !isAbsolute(given)) throw new TypeError(`directory must be an absolute path, and is ${JSON.stringify(given)}`);
  const project = realProject(projectDir);
  const place = given ?? placeOfStore(surroundings);
  return place === undefined ? noStore(project) : new FileStore(normalize(place), project);
}

function noStore(project: string): TrustStore {
  const problem = storeProblem(
    'There is no home directory with an absolute path, so there is no store of trusted hooks. No hook is trusted.',
    'Set XDG_STATE_HOME to the absolute path of a directory outside of the project.',
  );
  const refuse = (): never => {
    throw new TrustStoreError('', problem.message, problem.remedy ?? '');
  };
  return {
    directory: undefined,
    project,
    problems: [problem],
    read: () => ({ trusted: new Map(), denied: new Map(), problems: [problem] }),
    owners: () => [],
    accept: refuse,
    deny: refuse,
    revoke: () => false,
    revokeAll: () => undefined,
    allowOwner: refuse,
    revokeOwner: () => false,
    stamp: () => 'none',
    content: () => undefined,
    elsewhere: () => [],
  };
}
