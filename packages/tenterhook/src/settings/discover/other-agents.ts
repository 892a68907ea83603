import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic, Dialect, DialectContext } from '@tenterhook/protocol';

/** A file of a project in which another agent looks for hooks. */
interface HooksFile {
  readonly agent: string;
}

/**
 * The files of a project with hooks in formats that Tenterhook does not read. A path that ends with `/` is a folder. Each file in it is a
 * hook, or contains hooks.
 */
export const otherAgentsFiles: Readonly<Record<string, HooksFile>> = {
  '.clinerules/hooks/': { agent: 'Cline' },
  '.goose/hooks.json': { agent: 'Goose' },
  '.grok/hooks.json': { agent: 'Grok' },
  '.kiro/hooks/': { agent: 'Kiro' },
  '.windsurf/hooks.json': { agent: 'Windsurf' },
};

/**
 * Returns one note that names the files of a project with hooks of agents whose formats no dialect reads. The note leaves out files that
 * are already in `reported`, the diagnostics so far. Only the command line calls this function, because it looks for every file of the
 * table.
 */
export function findOtherAgentsFiles(
  dialects: readonly Dialect[],
  context: DialectContext,
  reported: readonly Diagnostic[],
): readonly Diagnostic[] {
  const { projectDir, files } = context;
  const known = new Set(reported.flatMap(({ file }) => file ?? []));
  const found = Object.entries(otherAgentsFiles).flatMap(([path, { agent }]) => {
    const paths = path.endsWith('/') ? filesIn(projectDir, path) : [path];
    const unread = paths.filter((each) => {
      const file = join(projectDir, each);
      return files.isFile(file) && !known.has(file) && dialects.every((dialect) => dialect.claims?.(file, context) === undefined);
    });
    const [first] = unread;
    return first === undefined ? [] : [{ path: unread.length === 1 ? first : path, agent }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const named = found.map(({ path, agent }) => `${path} (${agent})`).join(', ');
  return [
    {
      code: 'unread_file',
      severity: 'note',
      message: `The project has hooks in formats that Tenterhook does not read, and they do not run: ${named}.`,
      remedy: `Write them in one of ${dialects.map(({ name }) => name).join(', ')}; tenterhook init writes an example.`,
      file: join(projectDir, first.path),
      source: 'project',
    },
  ];
}

/** The files in a folder of the project. Empty if the folder does not exist or cannot be read. */
function filesIn(projectDir: string, folder: string): readonly string[] {
  try {
    const entries = readdirSync(join(projectDir, folder), { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() && !/\.(?:md|txt)$/i.test(entry.name) ? [`${folder}${entry.name}`] : [])).sort();
  } catch {
    return [];
  }
}
