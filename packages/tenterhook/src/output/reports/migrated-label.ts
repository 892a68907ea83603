import { type HookDefinition, hookLabel } from '@tenterhook/protocol';

/** The most characters of a question that a line shows. */
const maxQuestion = 60;

/** What people call a hook that is to be migrated. One that only a host runs has no command: shown is what it asks, and not its id. */
export function migratedLabel(hook: HookDefinition): string {
  const { action, name } = hook;
  if (action.kind !== 'host' || name !== undefined) return hookLabel(hook);
  const { prompt, server, tool } = action.data;
  if (typeof prompt === 'string') return `${action.type} "${shortened(prompt.replace(/\s+/g, ' ').trim())}"`;
  const parts = [server, tool].filter((part) => typeof part === 'string');
  return parts.length === 0 ? `${action.type} hook` : `${action.type} ${shortened(parts.join('/'))}`;
}

function shortened(text: string): string {
  return text.length > maxQuestion ? `${text.slice(0, maxQuestion - 1)}…` : text;
}
