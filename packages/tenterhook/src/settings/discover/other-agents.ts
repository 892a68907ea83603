import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic, Dialect, DialectContext } from '@tenterhook/protocol';

/** A file of a project in which another agent looks for hooks. */
interface HooksFile {
  readonly agent: string;
  /** The text of hooks in a file that is not only for hooks. @default the file has only hooks */
  readonly hooks?: RegExp;
}

/** As much of such a file is searched. */
const searchedBytes = 1_048_576;

const jsonHooks = /"hooks"\s*:/;
const tomlHooks = /^[ \t]*(?:\[\[?[ \t]*["']?hooks\b|["']?hooks["']?[ \t]*[.=])/m;

/**
 * The files of a project with hooks in formats that Tenterhook does not read. A path that ends with `/` is a folder. Each file in it is a
 * hook, or contains hooks.
 */
export const otherAgentsFiles: Readonly<Record<string, HooksFile>> = {
  '.clinerules/hooks/': { agent: 'Cline' },
  '.crush.json': { agent: 'Crush', hooks: jsonHooks },
  '.goose/hooks.json': { agent: 'Goose' },
  '.grok/hooks.json': { agent: 'Grok' },
  '.kimi/config.toml': { agent: 'Kimi', hooks: tomlHooks },
  '.kiro/hooks/': { agent: 'Kiro' },
  '.windsurf/hooks.json': { agent: 'Windsurf' },
  'crush.json': { agent: 'Crush', hooks: jsonHooks },
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
  const found = Object.entries(otherAgentsFiles).flatMap(([path, { agent, hooks }]) => {
    const paths = path.endsWith('/') ? filesIn(projectDir, path) : [path];
    const unread = paths.filter((each) => {
      const file = join(projectDir, each);
      if (!files.isFile(file) || known.has(file) || dialects.some((dialect) => dialect.claims?.(file, context) !== undefined)) return false;
      // A file that cannot be read may have hooks. A note too many is better than silence.
      return hooks === undefined || hooks.test(files.head(file, searchedBytes) ?? '"hooks":\n[hooks]');
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
