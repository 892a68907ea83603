import type { Dialect } from '@tenterhook/protocol';

/** An extension of the host. It has `hooks`, or a `directory` with files that contain them. */
export interface Extension {
  readonly name: string;
  /** The value that "hooks" would have in a settings file. @default read from the files in `directory` */
  readonly hooks?: object;
  /** Whether its hooks are loaded. @default true */
  readonly active?: boolean;
  /**
   * The format of the hooks. @default the format of a file in `directory` that only one format has; otherwise the `dialect` option of
   * createHooks, if that format recognises the hooks; otherwise recognised from the content
   */
  readonly dialect?: string;
  /**
   * The absolute path of the extension. Without `hooks`, the hooks are read from it. Relative paths in them are resolved against it.
   * @default the project directory
   */
  readonly directory?: string;
  /** Set if the host has read the hooks from the front matter of a skill or a subagent. @default they come from settings */
  readonly frontMatterOf?: 'skill' | 'subagent';
}

/** Returns the source of the hooks of an extension. In some formats extensions have another name, such as "plugin". */
export function getExtensionSource({ name }: Extension, dialect?: Dialect): string {
  return `${dialect?.extensionSource ?? 'extension'}:${name}`;
}
