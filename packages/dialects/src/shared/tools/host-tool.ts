import { isPlainObject } from '@tenterhook/runtime/json';
import { isText } from '../text.js';

/** A tool of the host in the words of a dialect. */
export interface HostTool {
  /** Its name in the dialect. */
  readonly as: string;
  /**
   * The dialect's keys of its arguments, by the host's: `{ cmd: 'command' }`. For an argument that is listed here, only this key of the host and the
   * dialect's own are recognized. @default the keys of LLxprt and Gemini CLI for tools of this kind
   */
  readonly keys?: Readonly<Record<string, string>>;
}

/** Tools of a host by the host's names. A text is the dialect's name alone. */
export type HostTools = Readonly<Record<string, string | HostTool>>;

/** The expected form of such an option, as the end of a sentence. `name` is the dialect's name of some tool. */
export function hostToolsExpected(name: string): string {
  return `{ bash: ${JSON.stringify(name)} }, or with keys { bash: { as: ${JSON.stringify(name)}, keys: { cmd: "command" } } }`;
}

/** Whether a value is a valid option of this kind. `isName` rejects strings that cannot be names in the dialect. @default rejects only the empty string */
export function isHostTools(value: unknown, isName: (name: string) => boolean = () => true): value is HostTools {
  return (
    isPlainObject(value) &&
    Object.values(value).every((tool) => {
      const { as, keys = {}, ...others } = isPlainObject(tool) ? tool : { as: tool };
      return isText(as) && isName(as) && isPlainObject(keys) && Object.values(keys).every(isText) && Object.keys(others).length === 0;
    })
  );
}
