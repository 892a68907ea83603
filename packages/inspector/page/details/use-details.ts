import { useEffect, useState } from 'preact/hooks';
import type { EventDetails } from '../../src/api/messages.js';
import { describeFailure, requestJson } from '../server/request.js';
import { store, storeVersion } from '../state/page-state.js';

/** The details of an event, or why there are none yet. */
export type DetailsState = { readonly details: EventDetails } | { readonly problem: string } | { readonly isLoading: true };

/** Asks for the details of an event, and again when the event has changed. */
export function useDetails(n: number): DetailsState {
  void storeVersion.value;
  const row = store.find(n);
  const [state, setState] = useState<DetailsState>({ isLoading: true });
  useEffect(() => setState({ isLoading: true }), [n]);
  useEffect(() => {
    const controller = new AbortController();
    requestJson<EventDetails>(`/api/events/${n}`, { signal: controller.signal }).then(
      (details) => setState({ details }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ problem: describeFailure(error) });
      },
    );
    return () => controller.abort();
  }, [n, row]);
  return state;
}
