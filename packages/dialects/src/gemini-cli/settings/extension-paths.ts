import type { DialectContext, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { parentOf } from '../../shared/settings/file-paths.js';

/** What the hooks of an extension may name of the place where they run; undefined where it is not known. */
export interface ExtensionPaths {
  readonly extensionPath: string | undefined;
  readonly workspacePath: string;
  readonly separator: string;
  /** Whether the shell knows variables in braces. */
  readonly hasBraces: boolean;
}

/** Nothing in it means anything to a shell. */
const plain = /^[\w@%+=:,./-]+$/;

/** Whether what brought a document along is an extension, and not one of the places for settings. */
export function isOfExtension({ source }: SettingsDocument): boolean {
  return source.startsWith('extension:');
}

/** The paths of the file of an extension, whoever named it; undefined for settings, in which nothing is filled in. */
export function extensionPathsOf(document: SettingsDocument, context: DialectContext): ExtensionPaths | undefined {
  const { file, directory } = document;
  const isHooksFile = file !== undefined && /(?:^|[\\/])hooks[\\/]hooks\.json$/.test(file);
  if (!isHooksFile && !isOfExtension(document)) return undefined;
  const folder = file === undefined ? undefined : parentOf(file);
  // The extension is what holds the folder of that file.
  const above = isHooksFile && folder !== undefined ? parentOf(folder) : folder;
  const isWindows = context.platform === 'win32';
  return {
    extensionPath: directory ?? above,
    workspacePath: context.projectDir,
    separator: isWindows ? '\\' : '/',
    hasBraces: !isWindows,
  };
}

/**
 * Hooks with `${extensionPath}`, `${workspacePath}` and `${/}` filled in. In a command a path with white space, quotes or the like is left to the
 * shell, as a variable of the hook: filled in as text it would be split, or be read as a command. In between quotes both are the same.
 */
export function filledIn(value: unknown, paths: ExtensionPaths): unknown {
  if (typeof value === 'string') return withPaths(value, paths, () => true);
  if (Array.isArray(value)) return value.map((item) => filledIn(item, paths));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, filledIn(item, paths)]);
  const filled = Object.fromEntries(entries) as Record<string, unknown>;
  const { command, env } = value;
  if (typeof command !== 'string') return filled;
  const left = leftToShell(command, paths);
  if (Object.keys(left).length === 0) return filled;
  const given = isPlainObject(filled['env']) ? filled['env'] : {};
  return {
    ...filled,
    command: withPaths(command, paths, (name) => !Object.hasOwn(left, name)),
    // What is no object is told as that, and must not be mended here.
    ...(env === undefined || isPlainObject(env) ? { env: { ...left, ...given } } : {}),
  };
}

/** A command as it reads with all its paths, wherever they are filled in: two extensions must not have one hook between them. */
export function spelledOut(command: string, env: Readonly<Record<string, string>>): string {
  return command.replace(/\$\{(extensionPath|workspacePath)\}/g, (written, name: string) => env[name] ?? written);
}

function leftToShell(command: string, { hasBraces, ...paths }: ExtensionPaths): Record<string, string> {
  if (!hasBraces) return {};
  const named = (['extensionPath', 'workspacePath'] as const).flatMap((name): [string, string][] => {
    const path = paths[name];
    return path === undefined || plain.test(path) || !command.includes(`\${${name}}`) ? [] : [[name, path]];
  });
  return Object.fromEntries(named);
}

function withPaths(text: string, { extensionPath, workspacePath, separator }: ExtensionPaths, mayFill: (name: string) => boolean): string {
  const values: Readonly<Record<string, string | undefined>> = { extensionPath, workspacePath, '/': separator };
  return text.replace(/\$\{(extensionPath|workspacePath|\/)\}/g, (written, name: string) =>
    mayFill(name) ? (values[name] ?? written) : written,
  );
}
