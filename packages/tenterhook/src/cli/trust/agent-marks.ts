import type { Dialect } from '@tenterhook/protocol';

/**
 * Variables of agents without a dialect, and our own, each with words for the program that sets it. The others are facts of the dialects
 * (`Dialect.agentVariables`). Variables that an editor sets for its terminal, in which a person types, are not in the list.
 */
const otherMarks: Readonly<Record<string, string>> = {
  TENTERHOOK_JOB: 'a hook of Tenterhook',
  QWEN_CODE: 'Qwen Code',
  CODEX_SANDBOX: 'Codex',
  CODEX_SANDBOX_NETWORK_DISABLED: 'Codex',
  CODEX_THREAD_ID: 'Codex',
  CODEX_CI: 'Codex',
  CURSOR_AGENT: 'Cursor',
  CURSOR_PROJECT_DIR: 'a hook of Cursor',
  COPILOT_CLI: 'Copilot',
  OPENCODE: 'OpenCode',
  CLINE_ACTIVE: 'Cline',
  AUGMENT_AGENT: 'Augment',
  ANTIGRAVITY_AGENT: 'Antigravity',
  AMP_CURRENT_THREAD_ID: 'Amp',
  GOOSE_TERMINAL: 'Goose',
  AI_AGENT: 'an agent',
};

/** Who started this process, if it was a hook or an agent. */
export interface AgentMark {
  readonly variable: string;
  readonly who: string;
}

/**
 * Returns the first mark of an agent in an environment. Undefined at the terminal of a person. A program can remove the variables: this is
 * a fence for models that answer every question, and no wall.
 */
export function findAgent(env: Readonly<Record<string, string | undefined>>, dialects: readonly Dialect[]): AgentMark | undefined {
  const ofDialects = dialects.flatMap(({ name, agent = name, agentVariables = [] }) =>
    agentVariables.map((variable) => ({ variable, who: agent })),
  );
  const others = Object.entries(otherMarks).map(([variable, who]) => ({ variable, who }));
  return [...others, ...ofDialects].find(({ variable }) => (env[variable] ?? '') !== '');
}
