export { openPage } from './open-page.js';
export { startInspector } from './start-inspector.js';

export type {
  About,
  AskBody,
  Comparison,
  EventDetails,
  EventRow,
  ExplainAnswer,
  HookBar,
  HookDetails,
  HookStatistics,
  HookText,
  PreviewAnswer,
  RunBody,
  RunningAgent,
  StreamLine,
} from './api/messages.js';
export type { OpenedPage, OpenPageOptions } from './open-page.js';
export type { InspectorOptions } from './inspector-options.js';
export type { AskFiles } from './server/ask.js';
export type { RanEvent, RunFiles } from './server/run.js';
export type { AgentAddress } from './source/agent-link.js';
export type { Inspector } from './start-inspector.js';
