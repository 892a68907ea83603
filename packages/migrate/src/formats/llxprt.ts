import { commandHookData, type LlxprtMatcher, llxprtDefaultTimeoutMs, llxprtEvents } from '@tenterhook/dialects/internal';
import type { HookDefinition, HookEventName } from '@tenterhook/protocol';
import { canonicalSpelling } from '../portable/canonical-spelling.js';
import { globsOf } from '../portable/globs.js';
import { readMatcher } from '../portable/matchers.js';
import type { PortableHook } from '../portable/portable-hook.js';
import type { PatternText } from '../portable/read-tools.js';
import { commandEntry, type GroupWriting, readCommandHook, wholeNames, writeGroups } from './command-groups.js';
import { keyOfBothOutcomes, type WrittenEvent } from './event-key.js';
import { readFileNames, writeFileNames } from './file-names.js';
import type { HookMigration, ReadHook } from './hook-migration.js';
import { contract } from './llxprt-contract.js';

const agent = 'LLxprt Code';

/** All of them set to the project's directory (decision 30). */
const projectVariables = ['LLXPRT_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'];

const spelling = canonicalSpelling(agent);

const writing: GroupWriting = {
  agent,
  fields: ['name', 'description', 'env', 'sequential', 'onError'],
  spelling,
  keysOf,
  matchersOf: (globs, { eventName }) => (eventName === 'FileChanged' ? writeFileNames(globs) : wholeNames(globs)),
  entryOf: (hook) => commandEntry(hook, 'LLXPRT_PROJECT_DIR', llxprtDefaultTimeoutMs),
};

/** Hooks of LLxprt, to and from other formats. */
export const llxprtMigration: HookMigration = {
  agent,
  read: (hooks) => hooks.map(readHook),
  write: (hooks) => writeGroups(hooks, writing),
  switch: { path: ['tools', 'enableHooks'], value: true },
  contract,
};

function readHook(hook: HookDefinition): ReadHook {
  const pattern = patternOf(commandHookData<LlxprtMatcher>(hook).matcher, hook.eventName);
  return readCommandHook(hook, readMatcher(pattern, hook.eventName, spelling), projectVariables);
}

function patternOf(matcher: LlxprtMatcher, eventName: HookEventName): PatternText | undefined {
  if (matcher.kind === 'all') return undefined;
  const { kind, text, test } = matcher;
  const globs = kind === 'regex' ? globsOf(text, false) : text.includes('?') ? undefined : text.split('|');
  return { text, globs: globs !== undefined && eventName === 'FileChanged' ? readFileNames(globs) : globs, fits: test };
}

function keysOf(hook: PortableHook): WrittenEvent {
  const { eventName } = hook;
  if (eventName === 'AfterTool') return keyOfBothOutcomes(eventName, hook, agent);
  if (llxprtEvents.includes(eventName)) return { keys: [eventName], losses: [] };
  const message = `${agent} itself has no event ${eventName}: the hook runs in agents that fire it for hooks of this format.`;
  return { keys: [eventName], losses: [{ field: 'event', message }] };
}
