import type { Dialect } from '@tenterhook/protocol';

/** Hooks that an extension of the host brings along. It has `hooks`, or a `directory` whose files hold them. */
export interface Extension {
  readonly name: string;
  /** What would stand under "hooks" of a settings file. @default what the files in `directory` say */
  readonly hooks?: object;
  /** @default true */
  readonly active?: boolean;
  /**
   * The format that they are written in. @default told by a file in `directory` that only one format has; else the one that all settings are
   * given in, where it finds something of its own in them; else each extension is recognised by itself
   */
  readonly dialect?: string;
  /**
   * Absolute: where the extension lies. Its hooks are read from there where `hooks` does not give them, and relative paths in them count from
   * there. @default the project directory, as far as the format has relative paths
   */
  readonly directory?: string;
  /** The hooks stand in the front matter of a skill or of a subagent, which the host has read. @default they stand in settings */
  readonly frontMatterOf?: 'skill' | 'subagent';
}

/** The source of its hooks: some formats have a word of their own for extensions. */
export function getExtensionSource({ name }: Extension, dialect?: Dialect): string {
  return `${dialect?.extensionSource ?? 'extension'}:${name}`;
}
