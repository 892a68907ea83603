import type { HookEvent, HookEventName } from '@tenterhook/protocol';

/** Builds an event of the project in `/srv/app`. */
export function eventOf(eventName: HookEventName, fields: Record<string, unknown> = {}): HookEvent {
  const base = {
    session_id: 's1',
    transcript_path: '',
    cwd: '/srv/app',
    hook_event_name: eventName,
    timestamp: '2026-11-21T10:00:00.000Z',
  };
  return { eventName, input: { ...base, ...fields }, projectDir: '/srv/app' };
}
