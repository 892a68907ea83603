import { useEffect, useState } from 'preact/hooks';
import { overviewVersion } from '../state/page-state.js';

/** The time between two requests for figures of the whole run, in milliseconds. */
const slowMs = 1_000;

/** Returns a number that changes at most once a second while events arrive. */
export function useSlowVersion(): number {
  const [version, setVersion] = useState(overviewVersion.peek());
  const newest = overviewVersion.value;
  useEffect(() => {
    if (newest === version) return undefined;
    const timer = setTimeout(() => setVersion(overviewVersion.peek()), slowMs);
    return () => clearTimeout(timer);
  }, [newest === version, version]);
  return version;
}
