import type { Dialect } from '@tenterhook/protocol';

/**
 * Environment variables that a program sets for the commands that it runs, each with the name of the program. If one of them is set, a
 * program started this command, not a person. The list has only Tenterhook and agents without a dialect; the variables of other agents
 * are in `Dialect.agentVariables`. Variables that an editor sets for its terminal are not listed, because a person types there.
 */
const otherMarks: Readonly<Record<string, string>> = {
  TENTERHOOK_JOB: 'a hook of Tenterhook',
  CURSOR_AGENT: 'Cursor',
  CURSOR_PROJECT_DIR: 'a hook of Cursor',
  OPENCODE: 'OpenCode',
  CLINE_ACTIVE: 'Cline',
  AMP_CURRENT_THREAD_ID: 'Amp',
  GOOSE_TERMINAL: 'Goose',
  AI_AGENT: 'an agent',
};

/** The hook or the agent that started this process. */
export interface AgentMark {
  readonly variable: string;
  readonly who: string;
}

/**
 * Returns the first variable of an agent in an environment. Returns undefined at the terminal of a person. A program can remove the
 * variables. So this check stops a model that answers every question, but not a model that bypasses the check on purpose.
 */
export function findAgent(env: Readonly<Record<string, string | undefined>>, dialects: readonly Dialect[]): AgentMark | undefined {
  const ofDialects = dialects.flatMap(({ name, agent = name, agentVariables = [] }) =>
    agentVariables.map((variable) => ({ variable, who: agent })),
  );
  const others = Object.entries(otherMarks).map(([variable, who]) => ({ variable, who }));
  return [...others, ...ofDialects].find(({ variable }) => (env[variable] ?? '') !== '');
}
