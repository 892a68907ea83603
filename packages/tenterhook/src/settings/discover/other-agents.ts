import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic, Dialect, DialectContext } from '@tenterhook/protocol';

/** A file of a project in which another agent looks for hooks. */
interface HooksFile {
  readonly agent: string;
  /** Set if the file also has other settings. It is reported only if it contains hooks. */
  readonly isGeneral?: true;
}

/**
 * The files of a project with hooks in formats that Tenterhook does not read. A path that ends with `/` is a folder whose files are hooks,
 * or contain some.
 */
export const otherAgentsFiles: Readonly<Record<string, HooksFile>> = {
  '.agents/hooks.json': { agent: 'Antigravity' },
  '.augment/settings.json': { agent: 'Auggie', isGeneral: true },
  '.clinerules/hooks/': { agent: 'Cline' },
  '.codebuddy/settings.json': { agent: 'CodeBuddy', isGeneral: true },
  '.codex/hooks.json': { agent: 'Codex' },
  '.cursor/hooks.json': { agent: 'Cursor' },
  '.devin/hooks.v1.json': { agent: 'Devin' },
  '.factory/hooks.json': { agent: 'Factory' },
  '.factory/settings.json': { agent: 'Factory', isGeneral: true },
  '.github/hooks/': { agent: 'Copilot' },
  '.grok/hooks.json': { agent: 'Grok' },
  '.kiro/hooks/': { agent: 'Kiro' },
  '.qwen/settings.json': { agent: 'Qwen Code', isGeneral: true },
  '.trae/hooks.json': { agent: 'Trae' },
  '.windsurf/hooks.json': { agent: 'Windsurf' },
};

const headBytes = 65_536;

/**
 * Returns one note that names the files of a project with hooks of agents whose formats no dialect reads. `reported` are the diagnostics so
 * far: a file that one of them is about is left out. Only the command line calls this, because it looks for every file of the table.
 */
export function findOtherAgentsFiles(
  dialects: readonly Dialect[],
  context: DialectContext,
  reported: readonly Diagnostic[],
): readonly Diagnostic[] {
  const { projectDir, files } = context;
  const known = new Set(reported.flatMap(({ file }) => file ?? []));
  const hasHooks = (file: string) => /"hooks"\s*:/.test(files.head(file, headBytes) ?? '');
  const found = Object.entries(otherAgentsFiles).flatMap(([path, { agent, isGeneral }]) => {
    const paths = path.endsWith('/') ? filesIn(projectDir, path) : [path];
    const unread = paths.filter((each) => {
      const file = join(projectDir, each);
      const isThere = files.isFile(file) && (isGeneral !== true || hasHooks(file));
      return isThere && !known.has(file) && dialects.every((dialect) => dialect.claims?.(file, context) === undefined);
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
