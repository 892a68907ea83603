import type { HookLogs } from './logs.js';
import type { HookMetrics } from './metrics.js';
import type { Settings } from './otel-options.js';
import type { ToolCallLinks } from './spans/links.js';

/** What all events of one `otel()` share. */
export interface Recorder {
  readonly settings: Settings;
  readonly metrics: HookMetrics;
  readonly links: ToolCallLinks;
  readonly logs: HookLogs | undefined;
}
