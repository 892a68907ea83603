import { isPlainObject } from '@tenterhook/runtime/json';

/** A tool of the host as hooks of a dialect know it. */
export interface HostTool {
  /** The name that the dialect has for it. */
  readonly as: string;
  /**
   * What the dialect calls its arguments, by the keys that the host gives them: `{ cmd: 'command' }`. Where an argument is named here, no other
   * key of the host is taken for it but the dialect's own. @default the keys that LLxprt and Gemini CLI have for tools of this kind
   */
  readonly keys?: Readonly<Record<string, string>>;
}

/** Tools of a host by the names that it has for them; a text is the dialect's name alone. */
export type HostTools = Readonly<Record<string, string | HostTool>>;

/** What such an option must be, with the dialect's name for some tool, as the end of a sentence. */
export function hostToolsExpected(name: string): string {
  return `{ bash: ${JSON.stringify(name)} }, or with keys { bash: { as: ${JSON.stringify(name)}, keys: { cmd: "command" } } }`;
}

/** Whether a value is such an option. `isName` refuses what cannot be a name in the dialect. @default every text but the empty one can */
export function isHostTools(value: unknown, isName: (name: string) => boolean = () => true): value is HostTools {
  const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';
  return (
    isPlainObject(value) &&
    Object.values(value).every((tool) => {
      const { as, keys = {}, ...others } = isPlainObject(tool) ? tool : { as: tool };
      return isText(as) && isName(as) && isPlainObject(keys) && Object.values(keys).every(isText) && Object.keys(others).length === 0;
    })
  );
}
