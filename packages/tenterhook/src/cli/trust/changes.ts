import type { TrustEntry } from '@tenterhook/trust';
import type { ReportStyle } from '../../output/reports/report-style.js';
import type { Decisions } from './open-decisions.js';

/** Formats what changed since a hook was trusted. Only this function loads the library that compares texts. */
export async function changesOf(hook: TrustEntry, { gate, store }: Decisions, style: ReportStyle): Promise<string[]> {
  const { renderTrustDiff } = await import('../../output/trust/trust-diff.js');
  const now = gate.contents(hook.pin);
  return renderTrustDiff(hook, { before: (sha256) => store.content(sha256), now: (sha256) => now.get(sha256) }, style);
}
