import type { HookEventName } from '@tenterhook/protocol';

/** The six events of handlers (seed 002). The values are the names in messages (decision 42). */
export const HookEventType = Object.freeze({
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  GenerateStart: 'generate_start',
  GenerateEnd: 'generate_end',
  SessionStart: 'session_start',
  SessionEnd: 'session_end',
} as const);

export type HookEventType = (typeof HookEventType)[keyof typeof HookEventType];

export const hookEventTypes = Object.values(HookEventType) as readonly HookEventType[];

export const canonicalNames = {
  pre_tool_use: 'BeforeTool',
  post_tool_use: 'AfterTool',
  generate_start: 'BeforeModel',
  generate_end: 'AfterModel',
  session_start: 'SessionStart',
  session_end: 'SessionEnd',
} as const satisfies Record<HookEventType, HookEventName>;

/** The events of a tool call. Only they have a tool and arguments that matchers can test. */
const toolTypes: ReadonlySet<HookEventType> = new Set<HookEventType>(['pre_tool_use', 'post_tool_use']);

export function isAboutTool(type: HookEventType): boolean {
  return toolTypes.has(type);
}

const typesByName = new Map<HookEventName, HookEventType>(hookEventTypes.map((type) => [canonicalNames[type], type]));

/** Returns the handlers' name of a canonical event, or undefined if handlers do not receive the event. */
export function toEventType(eventName: HookEventName): HookEventType | undefined {
  return typesByName.get(eventName);
}

export function isHookEventType(value: unknown): value is HookEventType {
  return typeof value === 'string' && Object.hasOwn(canonicalNames, value);
}
