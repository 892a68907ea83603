import type { SettingsDocument } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { parentOf } from '../paths.js';

/** The plugin that a hook belongs to: its directory, and its name if the name is known. */
export interface HookPlugin {
  readonly root: string;
  readonly name?: string;
}

/**
 * Returns the plugin that a document belongs to. The host usually passes the directory of the plugin. Otherwise the path of the
 * document's file determines the directory. `inPlugin` matches the end of the path of such a file.
 */
export function pluginOf({ source, directory, file }: SettingsDocument, inPlugin: RegExp): HookPlugin | undefined {
  const name = /^plugin:(.+)$/s.exec(source)?.[1];
  const at = file === undefined ? -1 : file.search(inPlugin);
  const folder = at <= 0 ? undefined : file?.slice(0, at);
  const root = directory ?? folder ?? (name === undefined || file === undefined ? undefined : parentOf(file));
  if (root === undefined || (name === undefined && folder === undefined)) return undefined;
  return { root, ...omitUndefined({ name }) };
}
