import type { Dialect } from '@tenterhook/protocol';
import { type CapturedInput, type CapturedRow, captured } from '../../support/captured-inputs.js';
import { type FormatSample, groupedBy, seconds, type WrittenHook, written } from '../format-sample.js';

type Fields = Readonly<Record<string, unknown>>;

/** What is different from agent to agent in the form of Claude Code's hooks, as people write it. */
export interface RelativeFacts {
  readonly create: (options?: { readonly managedFile?: string }) => Dialect;
  /** The files of the project and of the user, relative to the project and to the home directory. */
  readonly file: string;
  readonly userFile?: string;
  /** The agent's tools that run a command and that write a file, and the key of the file. */
  readonly shell: string;
  readonly write: string;
  readonly fileKey?: string;
  readonly contentKey?: string;
  /** True if every matcher is a regular expression. */
  readonly isPattern?: true;
  readonly timeoutUnit?: 'ms';
  readonly version?: number;
  readonly dropsCopies?: true;
  readonly hasSwitch?: true;
  /** The name of the tool `search` of the MCP server `gh`, and a matcher for all tools of this server. */
  readonly mcp?: { readonly search: string; readonly all: string };
  /** The event of a prompt. */
  readonly prompt?: string;
  /** Events whose hooks run only for some inputs, with fields for which they run. */
  readonly eventFields?: FormatSample['conformance']['eventFields'];
  /** Further matchers as people write them. */
  readonly matchers?: readonly string[];
  /** The fields of stdin that every event has. */
  base(event: string, cwd: string): Fields;
  /** The inputs of the events besides those before a tool. */
  readonly rows: readonly CapturedRow[];
}

/** Its hooks have timeouts in another unit, and names, so that it differs from Claude Code the most. */
const representative = 'qwen-code';

const before = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

/** Creates the sample of a relative of Claude Code. */
export function relativeSample(facts: RelativeFacts): FormatSample {
  const { create, file, userFile = file, shell, write, isPattern, timeoutUnit, version } = facts;
  const whole = (...names: string[]) => (isPattern ? (names.length === 1 ? `^${names[0]}$` : `^(${names.join('|')})$`) : names.join('|'));
  const { search, all } = facts.mcp ?? { search: 'mcp__gh__search', all: 'mcp__gh__.*' };
  const inUnit = (ms: number | undefined) => (timeoutUnit === 'ms' ? ms : seconds(ms));
  const versioned = version === undefined ? {} : { version };
  const own = Object.keys(create().events ?? {});
  return {
    project: `project/${file}`,
    user: `home/${userFile}`,
    shell: { name: shell, matcher: whole(shell) },
    dialect: (etc) => create({ managedFile: `${etc}/${create().name}.json` }),
    settings: (hooks) =>
      written({
        ...versioned,
        hooks: groupedBy(hooks, 'PreToolUse', ({ command: text, timeoutMs, matcher, onError, mode, recheck }: WrittenHook) => ({
          matcher,
          hooks: [{ type: 'command', command: text, timeout: inUnit(timeoutMs), onError, mode, recheck }],
        })),
      }),
    switches: { disableAllHooks: true },
    answers: {
      allow: () => before({ permissionDecision: 'allow' }),
      ask: (reason) => before({ permissionDecision: 'ask', permissionDecisionReason: reason }),
      rewrite: (input) => before({ updatedInput: input }),
    },
    dropsCopies: facts.dropsCopies === true,
    conformance: {
      answers: {
        eventName: 'BeforeTool',
        deny: before({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
        allow: before({ permissionDecision: 'allow' }),
      },
      sharedEvents: own,
      ...(facts.eventFields === undefined ? {} : { eventFields: facts.eventFields }),
    },
    captured: (cwd) => capturedInputs(facts, cwd, search),
    migration: {
      guards: ({ noRemoval, noSecrets, never, noWords, log }) => ({
        ...versioned,
        hooks: {
          PreToolUse: [
            { matcher: whole(shell), hooks: [command(noRemoval, { timeout: inUnit(5000) })] },
            { matcher: whole(write, editOf(create())), hooks: [command(noSecrets, { onError: 'block' })] },
            { matcher: all, hooks: [command(never)] },
          ],
          [facts.prompt ?? 'UserPromptSubmit']: [{ hooks: [command(noWords)] }],
          PostToolUse: [{ hooks: [command(log)] }],
          ...(own.includes('PostToolUseFailure') ? { PostToolUseFailure: [{ hooks: [command(log)] }] } : {}),
        },
      }),
      matchers: [shell, whole(shell), write, whole(write, shell), all, `^${shell}$`, '*', ...(facts.matchers ?? [])],
      closesSecrets: true,
    },
    tools: { tool: shell, absoluteFiles: true },
    ...(create().name === representative ? {} : { representedBy: representative }),
  };
}

function editOf(dialect: Dialect): string {
  const input = dialect.writeInput?.('PreToolUse', {
    eventName: 'BeforeTool',
    projectDir: '/srv',
    input: { tool_name: 'replace', tool_input: { file_path: '/srv/a', old_string: 'a', new_string: 'b' } } as never,
  });
  return String(input?.['tool_name']);
}

function capturedInputs(
  { shell, write, fileKey = 'file_path', contentKey = 'content', base, rows }: RelativeFacts,
  cwd: string,
  search: string,
): CapturedInput[] {
  const calls: CapturedRow[] = [
    ['PreToolUse', 'BeforeTool', { tool_name: shell, tool_input: { command: 'npm test' }, tool_use_id: 't1' }],
    ['PreToolUse', 'BeforeTool', { tool_name: write, tool_input: { [fileKey]: '/srv/a', [contentKey]: 'x' }, tool_use_id: 't2' }],
    ...(search.startsWith('mcp__')
      ? [['PreToolUse', 'BeforeTool', { tool_name: search, tool_input: { q: 'x' }, tool_use_id: 't3' }] as CapturedRow]
      : []),
  ];
  return captured([...calls, ...rows], (event) => base(event, cwd));
}
