import { elicitationEvents, permissionEvents } from './permission-events.js';
import { modelSwitchEvents, sessionEvents, workspaceEvents } from './session-events.js';
import { subagentEvents, turnEvents } from './turn-events.js';

/**
 * The events that only Claude Code's settings name, under its names and with its fields. Their order is the order of all lists of events, so the
 * groups of one file are not next to each other here.
 */
export const claudeCodeEvents = {
  ...permissionEvents,
  ...turnEvents,
  ...subagentEvents,
  ...sessionEvents,
  ...workspaceEvents,
  ...elicitationEvents,
  ...modelSwitchEvents,
};
