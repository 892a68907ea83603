import type { Dialect } from '@tenterhook/protocol';

/** An extension of the host. It has `hooks`, or a `directory` whose files contain them. */
export interface Extension {
  readonly name: string;
  /** The value of "hooks" in a settings file. @default read from the files in `directory` */
  readonly hooks?: object;
  /** @default true */
  readonly active?: boolean;
  /**
   * The format of the hooks. @default the format of a file in `directory` that only one format has; otherwise the `dialect` option of
   * createHooks, if that format recognises the hooks; otherwise recognised from the content
   */
  readonly dialect?: string;
  /**
   * Absolute path of the extension. Its hooks are read from there when `hooks` is not given, and relative paths in them start there.
   * @default the project directory
   */
  readonly directory?: string;
  /** Set if the hooks are from the front matter of a skill or a subagent, which the host has read. @default from settings */
  readonly frontMatterOf?: 'skill' | 'subagent';
}

/** The source of its hooks: some formats have their own word for extensions. */
export function getExtensionSource({ name }: Extension, dialect?: Dialect): string {
  return `${dialect?.extensionSource ?? 'extension'}:${name}`;
}
