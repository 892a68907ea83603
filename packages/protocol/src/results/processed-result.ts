import type { AggregatedHookResult } from './aggregated-result.js';

/** An aggregated result with the common output fields read out (seed 000). */
export interface ProcessedHookResult {
  aggregated: AggregatedHookResult;
  shouldStop: boolean;
  stopReason: string | undefined;
  systemMessage: string | undefined;
  suppressOutput: boolean;
}

export function processResult(aggregated: AggregatedHookResult): ProcessedHookResult {
  const output = aggregated.finalOutput;
  return {
    aggregated,
    shouldStop: aggregated.verdict.stop,
    stopReason: aggregated.verdict.stopReason,
    systemMessage: output?.systemMessage,
    suppressOutput: output?.suppressOutput === true,
  };
}
