import type { DialectContext, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { parentOf } from '../paths.js';
import type { Reporter } from './reporter.js';

/** The paths that replace placeholders in the hooks of an extension. `extensionPath` is undefined if it is unknown. */
interface ExtensionPaths {
  readonly extensionPath: string | undefined;
  readonly workspacePath: string;
  readonly separator: string;
  /** True if the shell expands variables in braces, e.g. `${NAME}`. */
  readonly hasBraces: boolean;
}

/**
 * The file with the hooks of an extension, and the manifest that marks a folder as an extension of Gemini CLI. LLxprt Code reads
 * both.
 */
export const hooksFile = 'hooks/hooks.json';
export const geminiManifest = 'gemini-extension.json';

/** Tests whether the document belongs to an extension and is not a settings file. */
export function isOfExtension({ source }: SettingsDocument): boolean {
  return source.startsWith('extension:');
}

/** A path whose characters have no special meaning in a shell. */
const plain = /^[\w@%+=:,./-]+$/;

/**
 * Returns the paths for a file of an extension, which the host may have passed under another source. Returns undefined for settings
 * files, because placeholders are not replaced there.
 */
function getExtensionPaths(document: SettingsDocument, context: DialectContext): ExtensionPaths | undefined {
  const { file, directory } = document;
  const isHooksFile = file !== undefined && /(?:^|[\\/])hooks[\\/]hooks\.json$/.test(file);
  if (!isHooksFile && !isOfExtension(document)) return undefined;
  const folder = file === undefined ? undefined : parentOf(file);
  // The folder of the extension is the parent of `hooks/`.
  const above = isHooksFile && folder !== undefined ? parentOf(folder) : folder;
  const isWindows = context.platform === 'win32';
  return {
    extensionPath: directory ?? above,
    workspacePath: context.projectDir,
    separator: isWindows ? '\\' : '/',
    hasBraces: !isWindows,
  };
}

/** Returns the settings of an extension, with the placeholders in the hooks replaced. Other settings are returned unchanged. */
export function fillInPaths(
  settings: Readonly<Record<string, unknown>>,
  document: SettingsDocument,
  context: DialectContext,
  reporter: Reporter,
): Readonly<Record<string, unknown>> {
  const paths = getExtensionPaths(document, context);
  if (paths === undefined) return settings;
  reportUnknownPath(settings, paths, reporter);
  return { ...settings, hooks: fillIn(settings['hooks'], paths) };
}

/**
 * Replaces `${extensionPath}`, `${workspacePath}` and `${/}`. A path with white space or quotes is dangerous in a command: the
 * shell would split it, or run parts of it. Such a path becomes an environment variable of the hook instead. Its placeholder stays,
 * and the shell expands it.
 */
function fillIn(value: unknown, paths: ExtensionPaths): unknown {
  if (typeof value === 'string') return withPaths(value, paths, () => true);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, paths));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, fillIn(item, paths)]);
  const filled = Object.fromEntries(entries) as Record<string, unknown>;
  const { command, env } = value;
  if (typeof command !== 'string') return filled;
  const left = getShellVariables(command, paths);
  if (Object.keys(left).length === 0) return filled;
  const given = isPlainObject(filled['env']) ? filled['env'] : {};
  return {
    ...filled,
    command: withPaths(command, paths, (name) => !Object.hasOwn(left, name)),
    // An "env" that is not an object stays unchanged, so that a later check can report it.
    ...(env === undefined || isPlainObject(env) ? { env: { ...left, ...given } } : {}),
  };
}

/**
 * Returns a command with its placeholders replaced by the paths in `env`, to find duplicate hooks: two extensions may have the same
 * command, but different paths in `env`.
 */
export function spellOut(command: string, env: Readonly<Record<string, string>>): string {
  return command.replace(/\$\{(extensionPath|workspacePath)\}/g, (written, name: string) => env[name] ?? written);
}

/** Reports a `${extensionPath}` that cannot be replaced. Without the path, the hooks do not find their files. */
function reportUnknownPath({ hooks }: Readonly<Record<string, unknown>>, { extensionPath }: ExtensionPaths, reporter: Reporter): void {
  if (extensionPath !== undefined || !JSON.stringify(hooks ?? '').includes(`\${extensionPath}`)) return;
  const message = `"\${extensionPath}" is used, but the directory of the extension is not known; it is not replaced.`;
  reporter.report('invalid_field', 'warning', ['hooks'], message, { remedy: 'Pass the extension with its directory.' });
}

function getShellVariables(command: string, { hasBraces, ...paths }: ExtensionPaths): Record<string, string> {
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
