/**
 * Types that public signatures name must be exported, too. `npm run typecheck` checks this file; `test/public-signatures.test.ts` finds
 * missing ones.
 */

import type {
  CanonicalEvent,
  Exit,
  Explanation,
  HookDefinition,
  HookEvent,
  HookEventHandler,
  HookExecutor,
  Hooks,
  Invocation,
  LLMRequest,
  SessionStartInput,
  SettingsListener,
} from 'tenterhook';
import type { HandlerEvent } from 'tenterhook/handlers';

declare function is<Expected>(value: Expected): void;

export function signatures(hooks: Hooks, listener: SettingsListener, request: LLMRequest, source: SessionStartInput['source']) {
  is<HookEventHandler>(hooks.getEventHandler());
  is<Explanation>(hooks.explain('BeforeTool'));
  is<readonly HookDefinition[]>(hooks.hooks.BeforeTool);
  hooks.onChange(listener);
  void hooks.getEventHandler().fireBeforeModelEvent(request);
  void hooks.getEventHandler().fireSessionStartEvent(source);
}

export const executor: HookExecutor = {
  kind: 'call',
  async run(invocation: Invocation, hook: HookDefinition, event: HookEvent): Promise<Exit> {
    is<CanonicalEvent>(event);
    is<string>(`${invocation.kind} ${hook.id} ${event.eventName}`);
    return { kind: 'answered', answer: {}, durationMs: 0 };
  },
};

// @ts-expect-error An executor receives a HookEvent, and not the event of a handler.
export const mistaken: HookExecutor['run'] = async (_invocation, _hook, _event: HandlerEvent) => ({
  kind: 'answered',
  answer: {},
  durationMs: 0,
});
