import { isPlainObject } from '@tenterhook/runtime/json';
import { isText } from '../text.js';

/** The dialect's name and keys for a tool of the host. */
export interface HostTool {
  /** The name of the tool in the dialect. */
  readonly as: string;
  /**
   * Maps the host's argument keys to the dialect's keys. With `{ cmd: 'command' }`, a guard receives the argument `cmd` as
   * `command`. This argument is recognised only under the two keys `cmd` and `command`.
   * @default the keys of LLxprt and Gemini CLI for tools of this kind
   */
  readonly keys?: Readonly<Record<string, string>>;
}

/** Tools of a host by the host's names. If the value is a string, it is the dialect's name of the tool. */
export type HostTools = Readonly<Record<string, string | HostTool>>;

/**
 * Describes a valid value for the option with the host's tools. A message ends with this text. `name` is an example of a tool's
 * name in the dialect.
 */
export function hostToolsExpected(name: string): string {
  return `{ bash: ${JSON.stringify(name)} }, or with keys { bash: { as: ${JSON.stringify(name)}, keys: { cmd: "command" } } }`;
}

/**
 * Tests whether a value is valid for the option with the host's tools. `isName` tests whether the dialect can have a tool with this
 * name. Empty names are always invalid.
 */
export function isHostTools(value: unknown, isName: (name: string) => boolean = () => true): value is HostTools {
  return (
    isPlainObject(value) &&
    Object.values(value).every((tool) => {
      const { as, keys = {}, ...others } = isPlainObject(tool) ? tool : { as: tool };
      return isText(as) && isName(as) && isPlainObject(keys) && Object.values(keys).every(isText) && Object.keys(others).length === 0;
    })
  );
}
