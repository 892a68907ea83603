import { claudeTools } from './tools/tool-table.js';

/** Tools of the product that hosts have none of, under the names of its several versions. */
const further = [
  'PowerShell',
  'NotebookEdit',
  'NotebookRead',
  'MultiEdit',
  'LS',
  'ExitPlanMode',
  'EnterPlanMode',
  'TodoWrite',
  'Skill',
  'BashOutput',
  'KillShell',
];

/** Every name that a matcher may have for a tool of the product itself. */
export const knownToolNames: readonly string[] = [...Object.values(claudeTools).flatMap(({ names }) => [...names]), ...further];
