import type { HookEventName } from '@tenterhook/protocol';

/** A topic in which the scripts of two agents may differ, such as the fields on stdin. */
export interface ContractTopic {
  readonly label: string;
  /** The events that the topic applies to. @default all */
  readonly events?: readonly HookEventName[];
  /** For each dialect: what its scripts receive or print. */
  readonly formats: Readonly<Record<FormatName, string>>;
}

export type FormatName = 'llxprt' | 'gemini-cli' | 'claude-code' | 'eca';

/**
 * For each topic, what scripts of a format receive or what their answers mean. A migration does not change scripts. So it lists the
 * topics in which the two formats differ.
 */
export const contractTopics = {
  event: {
    label: 'the event on stdin',
    formats: {
      llxprt: '`hook_event_name`: `BeforeTool`, `AfterTool`, `BeforeAgent`, `AfterAgent` …',
      'gemini-cli': '`hook_event_name`: `BeforeTool`, `AfterTool`, `BeforeAgent`, `AfterAgent` …',
      'claude-code': '`hook_event_name`: `PreToolUse`, `PostToolUse`, `UserPromptSubmit`, `Stop` …',
      eca: '`hook_type`: `preToolCall`, `postToolCall`, `preRequest`, `postRequest` …',
    },
  },
  session: {
    label: 'the session on stdin',
    formats: {
      llxprt: '`session_id`, `cwd`',
      'gemini-cli': '`session_id`, `cwd`',
      'claude-code': '`session_id`, `cwd`',
      eca: '`chat_id`, `workspaces`',
    },
  },
  tool: {
    label: 'a tool on stdin',
    events: ['BeforeTool', 'AfterTool'],
    formats: {
      llxprt: '`tool_name` and `tool_input`: `run_shell_command`, `write_file`, `replace`, `mcp_server_tool`',
      'gemini-cli': '`tool_name` and `tool_input`: `run_shell_command`, `write_file`, `replace`, `mcp_server_tool`',
      'claude-code': '`tool_name` and `tool_input`: `Bash`, `Write`, `Edit`, `mcp__server__tool`',
      eca: '`server`, `tool_name` and `tool_input`: `eca` and `shell_command`, `write_file`, `edit_file`; the server of an MCP tool',
    },
  },
  file: {
    label: 'the file of a tool',
    events: ['BeforeTool', 'AfterTool'],
    formats: {
      llxprt: '`path`, `file_path` or `absolute_path` of `tool_input`',
      'gemini-cli': '`file_path` or `absolute_path` of `tool_input`',
      'claude-code': '`file_path` of `tool_input`, absolute',
      eca: '`path` of `tool_input`',
    },
  },
  result: {
    label: 'the result of a tool',
    events: ['AfterTool'],
    formats: {
      llxprt: '`tool_response`: `llmContent`, `returnDisplay`, `error`; also after failed tools',
      'gemini-cli': '`tool_response`: `llmContent`, `returnDisplay`, `error`; also after failed tools',
      'claude-code': '`tool_response`; `error` on `PostToolUseFailure`, which is a separate event',
      eca: '`tool_response` and `error`. The hook runs after failed tools only with `runOnError`',
    },
  },
  deny: {
    label: 'to deny a tool',
    events: ['BeforeTool'],
    formats: {
      llxprt: '`{"decision":"deny","reason":"…"}`, or exit code 2',
      'gemini-cli': '`{"decision":"deny","reason":"…"}`, or exit code 2',
      'claude-code':
        '`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"…"}}`, or exit code 2',
      eca: '`{"approval":"deny","additionalContext":"…"}`, or exit code 2',
    },
  },
  ask: {
    label: 'to ask the user',
    events: ['BeforeTool'],
    formats: {
      llxprt: '`{"decision":"ask"}`',
      'gemini-cli': '`{"decision":"ask"}`',
      'claude-code': '`hookSpecificOutput.permissionDecision`: `ask`; `defer` leaves it to the agent',
      eca: '`{"approval":"ask"}`',
    },
  },
  permission: {
    label: 'to answer a request for permission',
    events: ['PermissionRequest'],
    formats: {
      llxprt: '`{"decision":"deny","reason":"…"}`, or `allow`',
      'gemini-cli': 'not supported: there is no such event',
      'claude-code':
        '`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"…"}}}`, or `allow`',
      eca: 'not supported: there is no such event',
    },
  },
  rewrite: {
    label: 'to change arguments',
    events: ['BeforeTool'],
    formats: {
      llxprt: '`hookSpecificOutput.tool_input`, merged into the arguments',
      'gemini-cli': '`hookSpecificOutput.tool_input`, merged into the arguments',
      'claude-code': '`hookSpecificOutput.updatedInput`, which replaces all arguments',
      eca: '`updatedInput`, merged into the arguments',
    },
  },
  feedback: {
    label: 'a deny after a tool',
    events: ['AfterTool'],
    formats: {
      llxprt: 'the result stays, and the model reads the reason after it',
      'gemini-cli': 'the reason replaces the result',
      'claude-code': 'the result stays, and the model reads the reason after it',
      eca: 'the result stays, and the model reads the reason after it',
    },
  },
  redact: {
    label: 'to replace a result',
    events: ['AfterTool'],
    formats: {
      llxprt: 'not possible',
      'gemini-cli': '`{"decision":"deny","reason":"…"}`: the reason is the new result',
      'claude-code': '`hookSpecificOutput.updatedToolOutput`',
      eca: '`replacedOutput`',
    },
  },
  context: {
    label: 'to add context',
    events: ['BeforeTool', 'AfterTool', 'BeforeAgent', 'SessionStart'],
    formats: {
      llxprt: '`hookSpecificOutput.additionalContext`',
      'gemini-cli': '`hookSpecificOutput.additionalContext`',
      'claude-code': '`hookSpecificOutput.additionalContext`, with `hookEventName` next to it',
      eca: '`additionalContext`',
    },
  },
  prompt: {
    label: 'to block a prompt',
    events: ['BeforeAgent'],
    formats: {
      llxprt: '`{"decision":"deny"}`, or exit code 2',
      'gemini-cli': '`{"decision":"deny"}`, or exit code 2',
      'claude-code': '`{"decision":"block","reason":"…"}`, or exit code 2',
      eca: '`{"continue":false,"stopReason":"…"}`, or exit code 2',
    },
  },
  newPrompt: {
    label: 'to rewrite a prompt',
    events: ['BeforeAgent'],
    formats: {
      llxprt: 'not possible',
      'gemini-cli': 'not possible',
      'claude-code': 'not possible',
      eca: '`replacedPrompt`',
    },
  },
  goOn: {
    label: 'to go on after an answer',
    events: ['AfterAgent'],
    formats: {
      llxprt: '`{"decision":"deny","reason":"…"}`: the reason is the next prompt',
      'gemini-cli': '`{"decision":"deny","reason":"…"}`: the reason is the next prompt',
      'claude-code': '`{"decision":"block","reason":"…"}`: the reason is the next prompt',
      eca: '`{"followUp":"…"}`, or exit code 2',
    },
  },
  stop: {
    label: 'to stop the agent',
    formats: {
      llxprt: '`{"continue":false,"stopReason":"…"}`',
      'gemini-cli': '`{"continue":false,"stopReason":"…"}`',
      'claude-code': '`{"continue":false,"stopReason":"…"}`',
      eca: '`{"continue":false,"stopReason":"…"}`',
    },
  },
  user: {
    label: 'a message for the user',
    formats: {
      llxprt: '`systemMessage`, which the model reads too',
      'gemini-cli': '`systemMessage`, which the model reads too',
      'claude-code': '`systemMessage`, which the model does not read',
      eca: '`systemMessage`',
    },
  },
  text: {
    label: 'text with exit code 0',
    formats: {
      llxprt: 'a `systemMessage`',
      'gemini-cli': 'a `systemMessage`; JSON on stderr is read if stdout is blank',
      'claude-code': 'context on `UserPromptSubmit` and `SessionStart`, otherwise shown to the user',
      eca: 'context for the model',
    },
  },
  failure: {
    label: 'JSON with exit code 1',
    formats: {
      llxprt: 'the hook has failed, and its output is ignored',
      'gemini-cli': 'the JSON is read, both deny and allow',
      'claude-code': 'the JSON is read, both deny and allow',
      eca: 'the hook has failed, and its output is ignored',
    },
  },
  otherCode: {
    label: 'exit codes above 2',
    formats: {
      llxprt: 'the hook has failed',
      'gemini-cli': 'JSON is read; text denies; no output is a failure',
      'claude-code': 'JSON is read; otherwise the hook has failed',
      eca: 'the hook has failed',
    },
  },
  directory: {
    label: 'working directory',
    formats: {
      llxprt: 'the working directory of the event',
      'gemini-cli': 'the working directory of the event',
      'claude-code': 'the working directory of the session',
      eca: 'the first workspace folder',
    },
  },
  project: {
    label: "the project's directory",
    formats: {
      llxprt: '`$LLXPRT_PROJECT_DIR`, `$GEMINI_PROJECT_DIR`, `$CLAUDE_PROJECT_DIR`',
      'gemini-cli': '`$GEMINI_PROJECT_DIR`, `$CLAUDE_PROJECT_DIR`',
      'claude-code': '`$CLAUDE_PROJECT_DIR`',
      eca: 'the directory in which it runs',
    },
  },
  order: {
    label: 'hooks of one event',
    formats: {
      llxprt: 'side by side, or in a chain if a group is `sequential`',
      'gemini-cli': 'side by side, or in a chain if a group is `sequential`',
      'claude-code': 'side by side',
      eca: 'in a chain, in the order of their keys',
    },
  },
  copies: {
    label: 'a hook that is configured twice',
    formats: {
      llxprt: 'runs once, unless its name or its environment differs',
      'gemini-cli': 'runs once, unless its name differs',
      'claude-code': 'runs once',
      eca: 'runs twice',
    },
  },
} as const satisfies Record<string, ContractTopic>;

export type ContractTopicName = keyof typeof contractTopics;

/** Returns the contract of one format by topic. */
export function topicsOf(format: FormatName): Readonly<Record<ContractTopicName, string>> {
  const topics = Object.entries(contractTopics) as [ContractTopicName, ContractTopic][];
  return Object.fromEntries(topics.map(([name, { formats }]) => [name, formats[format]])) as Record<ContractTopicName, string>;
}
