import type { AggregatedHookResult, Hooks } from 'tenterhook';

export interface FiredEvent {
  readonly eventName: string;
  readonly result: AggregatedHookResult;
}

/** Collects every event of the bus with its answer, in the order of the answers, until `stop()`. */
export class EventLog {
  readonly events: FiredEvent[] = [];
  readonly stop: () => void;

  constructor(bus: Hooks['bus']) {
    const names = new Map<string | undefined, string>();
    const subscriptions = [
      bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => names.set(payload.correlationId, payload.eventName)),
      bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => {
        const eventName = names.get(payload.correlationId);
        if (eventName !== undefined && payload.output !== undefined) {
          this.events.push({ eventName, result: payload.output as AggregatedHookResult });
        }
        names.delete(payload.correlationId);
      }),
    ];
    this.stop = () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }
}
