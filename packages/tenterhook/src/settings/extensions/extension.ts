import type { Dialect } from '@tenterhook/protocol';

/** An extension of the agent. It has `hooks`, or a `directory` with files that contain hooks. */
export interface Extension {
  readonly name: string;
  /** The value of "hooks" in a settings file. @default read from the files in `directory` */
  readonly hooks?: object;
  /** Whether the hooks of the extension are loaded. @default true */
  readonly active?: boolean;
  /**
   * The dialect of the hooks. If it is missing, it is determined by the first of these that gives an answer: (1) a file in `directory` that
   * only one dialect uses, e.g. a manifest, (2) the `dialect` option of createHooks, if that dialect recognises the hooks, (3) the content
   * of the hooks. @default determined from the files and their content
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
