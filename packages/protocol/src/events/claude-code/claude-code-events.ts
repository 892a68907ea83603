import { elicitationEvents } from './elicitation-events.js';
import { modelSwitchEvents } from './model-switch-events.js';
import { permissionEvents } from './permission-events.js';
import { sessionEvents } from './session-events.js';
import { subagentEvents } from './subagent-events.js';
import { turnEvents } from './turn-events.js';
import { workspaceEvents } from './workspace-events.js';

/** The events of Claude Code that have no counterpart among the others, under its names and with its fields. */
export const furtherEvents = {
  ...permissionEvents,
  ...turnEvents,
  ...subagentEvents,
  ...sessionEvents,
  ...workspaceEvents,
  ...elicitationEvents,
  ...modelSwitchEvents,
};
