import type { HookDefinition } from '@tenterhook/protocol';
import { join, withSlashes } from '../../shared/paths.js';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { userFolder } from '../settings/locations.js';
import type { HookPlugin } from '../settings/parse-context.js';

/**
 * Returns the directory with the data of a hook's plugin: the one that the host passed, or the one that Claude Code uses. Undefined for
 * other hooks, and if the user has no home directory.
 */
export function getDataDirectory(
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  { plugins }: ClaudeHost,
): string | undefined {
  const { plugin, home, frontMatterOf } = dataOf(hook);
  // The directory of a skill or a subagent is not that of a plugin.
  if (plugin === undefined || frontMatterOf !== undefined) return undefined;
  const { name } = plugin;
  const passed = name !== undefined && Object.hasOwn(plugins, name) ? plugins[name]?.dataDirectory : undefined;
  if (passed !== undefined || home === '') return passed;
  return join(userFolder({ environment, home }), `plugins/data/${toId(plugin)}`);
}

/**
 * Returns the id of a plugin as Claude Code forms it: the names of the plugin and of its marketplace. Claude Code installs a plugin in
 * `plugins/cache/<marketplace>/<plugin>/<version>`. A plugin in another directory has the id of one that `claude --plugin-dir` loads.
 */
function toId({ root, name }: HookPlugin): string {
  const path = withSlashes(root).replace(/\/+$/, '');
  const [, marketplace, installed] = /\/plugins\/cache\/([^/]+)\/([^/]+)\/[^/]+$/.exec(path) ?? [];
  const id = marketplace === undefined ? `${name ?? path.slice(path.lastIndexOf('/') + 1)}-inline` : `${installed}-${marketplace}`;
  return id.replace(/[^\w-]/g, '-');
}
