import { existsSync } from 'node:fs';
import { describeValue } from '@tenterhook/runtime/text';
import { findDirectoryProblem } from '../settings/discover/locations.js';
import type { Problem } from './explain-issues.js';

/** The fields of a file that say what is tested, as they were written. */
export interface TestFileHead {
  readonly settings?: string | readonly string[];
  readonly project?: string;
  readonly dialect?: string;
}

/** Returns the settings, the project and the format that do not exist. `at` resolves a path of the file. */
export function findPlaceProblems(
  { settings = [], project, dialect }: TestFileHead,
  at: (path: string) => string,
  adviceOnDialect: (name: string) => string | undefined,
): Problem[] {
  const problems: Problem[] = [];
  const add = (path: readonly PropertyKey[], place: string, value: string, advice: string) =>
    problems.push({ path, message: `${place} is ${describeValue(value)}. ${advice}` });
  const addFile = (path: readonly PropertyKey[], place: string, value: string) => {
    if (!existsSync(at(value)))
      add(path, place, value, `${at(value)} does not exist. Write the path of a settings file, relative to this file.`);
  };
  if (typeof settings === 'string') addFile(['settings'], 'settings', settings);
  else for (const [index, file] of settings.entries()) addFile(['settings', index], `settings[${index}]`, file);
  const problem = project === undefined ? undefined : findDirectoryProblem(at(project));
  if (project !== undefined && problem !== undefined)
    add(['project'], 'project', project, `${at(project)} ${problem}. Write the path of the project directory, relative to this file.`);
  const advice = dialect === undefined ? undefined : adviceOnDialect(dialect);
  if (dialect !== undefined && advice !== undefined) add(['dialect'], 'dialect', dialect, advice);
  return problems;
}
