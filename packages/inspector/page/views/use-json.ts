import { useEffect, useState } from 'preact/hooks';
import { describeFailure, requestJson } from '../server/request.js';

/** A value of the server, or why there is none. */
export interface Loaded<Value> {
  readonly value?: Value;
  readonly problem?: string;
}

/** Requests a value, and again when `version` changes. The value before is kept until then, so that a table does not flicker. */
export function useJson<Value>(path: string, version: unknown): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({});
  useEffect(() => {
    const controller = new AbortController();
    requestJson<Value>(path, { signal: controller.signal }).then(
      (value) => setLoaded({ value }),
      (error: unknown) => {
        if (!controller.signal.aborted) setLoaded((before) => ({ ...before, problem: describeFailure(error) }));
      },
    );
    return () => controller.abort();
  }, [path, version]);
  return loaded;
}
