import type { RelayOtherTools } from '@tenterhook/protocol';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import { isText } from '../text.js';
import { canonicalTools } from './canonical-tools.js';
import type { HostTool } from './host-tool.js';
import { canonicalNameOf } from './names-instead.js';
import { translateTools } from './tool-translation.js';

type Fields = Readonly<Record<string, unknown>>;

/** A tool of an agent that does the work of the canonical tool `as`. */
export interface OtherTool extends HostTool {
  /**
   * Returns further arguments that hooks of other formats receive. They follow from the arguments of the call, so a hook cannot change them.
   * @default none
   */
  readonly derived?: (input: Fields) => Fields;
}

/** Tools by the agent's names. If the value is a string, it is the canonical name, and the arguments have the canonical keys. */
export type OtherTools = Readonly<Record<string, string | OtherTool>>;

/**
 * Returns how hooks of other formats see these tools. A tool that is not in the list, and has the name of a known tool of any agent, is one
 * too: a guard must not miss a shell because a later version of an agent has a second one.
 */
export function otherToolsOf(tools: OtherTools = {}): RelayOtherTools {
  const known = new Map(
    Object.entries(tools).map(([name, tool]): [string, OtherTool] => [name, typeof tool === 'string' ? { as: tool } : tool]),
  );
  const hostTools = Object.fromEntries([...known].map(([name, { as, keys = {} }]) => [name, { as, keys }]));
  const translation = translateTools(canonicalTools, hostTools);
  const nameOf = (tool: string) => known.get(tool)?.as ?? canonicalNameOf(tool);
  const derivedOf = (tool: string, input: Fields) => known.get(tool)?.derived?.(input) ?? {};
  const translated = (tool: string) => (known.has(tool) ? tool : (nameOf(tool) ?? tool));
  return {
    nameOf,
    toCanonical: (tool, input, cwd) => ({ ...translation.toDialect(translated(tool), input, cwd), ...derivedOf(tool, input) }),
    toAgent(tool, written, given, cwd) {
      const derived = derivedOf(tool, given);
      const isChanged = (key: string) => Object.hasOwn(written, key) && !isSameJson(written[key], derived[key]);
      if (Object.keys(derived).some(isChanged)) return undefined;
      const others = Object.fromEntries(Object.entries(written).filter(([key]) => !Object.hasOwn(derived, key)));
      return translation.toHost(translated(tool), others, given, cwd);
    },
  };
}

/** Returns the old and the new texts of a list of edits of one file, joined like the places of a patch. */
export function textsOfEdits({ edits }: Fields): Fields {
  const textsAt = (key: string) =>
    (Array.isArray(edits) ? edits : []).map((edit) => (isPlainObject(edit) ? edit[key] : undefined)).filter(isText);
  return Array.isArray(edits) ? { old_string: textsAt('old_string').join('\n'), new_string: textsAt('new_string').join('\n') } : {};
}
