import type { HookDefinition } from '@tenterhook/protocol';
import { join, withSlashes } from '../../shared/paths.js';
import type { HookPlugin } from '../../shared/settings/plugin.js';
import type { ClaudeHost, ClaudePlugin } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { userFolder } from '../settings/locations.js';

/** Returns what the host passed about the plugin of a hook, or undefined if there is nothing. */
export function getPluginOptions(hook: HookDefinition, { plugins }: ClaudeHost): ClaudePlugin | undefined {
  const name = dataOf(hook).plugin?.name;
  return name !== undefined && Object.hasOwn(plugins, name) ? plugins[name] : undefined;
}

/**
 * Returns the data directory of a hook's plugin: the directory that the host passed, or else the directory that Claude Code uses.
 * Returns undefined for hooks without a plugin, and if the user has no home directory.
 */
export function getDataDirectory(
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  host: ClaudeHost,
): string | undefined {
  const { plugin, home, frontMatterOf } = dataOf(hook);
  // Skills and subagents have a directory too, but no data directory.
  if (plugin === undefined || frontMatterOf !== undefined) return undefined;
  const passed = getPluginOptions(hook, host)?.dataDirectory;
  if (passed !== undefined || home === '') return passed;
  const plugins = join(userFolder({ environment, home }), 'plugins');
  return join(plugins, `data/${toId(plugin, plugins)}`);
}

/**
 * Returns the id of a plugin. Claude Code forms it from the names of the plugin and of its marketplace, and installs the plugin in
 * `cache/<marketplace>/<plugin>/<version>` of its folder `plugins`. A plugin in any other directory has the id of a plugin that
 * `claude --plugin-dir` loads. Otherwise a directory in a repository could choose the id of an installed plugin, and so reach the
 * data of that plugin.
 */
function toId({ root, name }: HookPlugin, plugins: string): string {
  const path = withSlashes(root).replace(/\/+$/, '');
  const cache = `${withSlashes(plugins)}/cache/`;
  const [marketplace, installed, version, ...below] = path.startsWith(cache) ? path.slice(cache.length).split('/') : [];
  const isInstalled = version !== undefined && below.length === 0;
  const id = isInstalled ? `${installed}-${marketplace}` : `${name ?? path.slice(path.lastIndexOf('/') + 1)}-inline`;
  return id.replace(/[^\w-]/g, '-');
}
