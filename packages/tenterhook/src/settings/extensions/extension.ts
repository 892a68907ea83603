import type { Dialect } from '@tenterhook/protocol';

/** An extension of the agent. It has `hooks`, or a `directory` with files that contain hooks. */
export interface Extension {
  readonly name: string;
  /** The value of "hooks" in a settings file. @default read from the files in `directory` */
  readonly hooks?: object;
  /** Whether its hooks are loaded. @default true */
  readonly active?: boolean;
  /**
   * The dialect of the hooks. If it is missing, the first of these decides: a file in `directory` that only one dialect uses, such as a
   * manifest; the `dialect` option of createHooks, if that dialect recognises the hooks; the content of the hooks. @default determined from
   * the files and their content
   */
  readonly dialect?: string;
  /**
   * The absolute path of the extension. Relative paths in the hooks are resolved against it. If `hooks` is missing, hooks are read from it.
   * @default the project directory
   */
  readonly directory?: string;
  /** Set if the agent has read the hooks from the front matter of a skill or a subagent. @default they come from settings */
  readonly frontMatterOf?: 'skill' | 'subagent';
}

/** Returns the source of the hooks of an extension. Some formats call extensions by another name, such as "plugin". */
export function getExtensionSource({ name }: Extension, dialect?: Dialect): string {
  return `${dialect?.extensionSource ?? 'extension'}:${name}`;
}
