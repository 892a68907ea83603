import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, suggestName } from '@tenterhook/runtime/text';
import type { RunningAgent } from './api/messages.js';
import type { AskFiles } from './server/ask.js';
import type { RunFiles } from './server/run.js';
import type { AgentAddress } from './source/agent-link.js';

/** What the inspector shows, and where. */
export interface InspectorOptions {
  /** The paths of recordings to show, one after another. Pass either these or `agent`. */
  readonly recordings?: readonly string[] | undefined;
  /** The running agent to show. */
  readonly agent?: AgentAddress | undefined;
  /**
   * Looks for a new process of the agent after it has ended. It is called once a second until it returns one. @default the inspector tries
   * only the socket of `agent`
   */
  readonly findAgain?: (() => Promise<AgentAddress | undefined>) | undefined;
  /** The port on 127.0.0.1, from 1 to 65535. @default one that the system chooses */
  readonly port?: number | undefined;
  /** Whether secrets of known shapes are replaced by `***` in everything that the page gets. @default true */
  readonly mask?: boolean | undefined;
  /** The number of events in the list. Beyond it, the oldest are forgotten. @default 100000 */
  readonly maxEvents?: number | undefined;
  /** Returns the agent with this process id, for a page that shows another agent. @default the agent cannot be changed */
  readonly findAgent?: ((pid: number) => Promise<AgentAddress | undefined>) | undefined;
  /** Called when the page shows another agent, the one that `findAgent` has returned. @default not called */
  readonly onAttached?: ((agent: AgentAddress) => void) | undefined;
  /** Returns the agents that run. @default none */
  readonly findAgents?: (() => Promise<readonly RunningAgent[]>) | undefined;
  /** Asks the settings files of the project as they are now, where no service can be asked. @default nothing is asked */
  readonly askFiles?: AskFiles | undefined;
  /**
   * Runs an event with the hooks of the project, for a page that may start them. It must not use the service of the agent. Pass it only if
   * the user has asked for it: without it, the page cannot run anything. It needs `askFiles`, with which the page shows the commands before a
   * run. @default nothing is run
   */
  readonly runFiles?: RunFiles | undefined;
  /** The clock of the token, in milliseconds. For tests. @default `performance.now` */
  readonly now?: (() => number) | undefined;
}

type Rule = readonly [expected: string, isValid: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isWhole = (least: number, most: number) => (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
const aFunction: Rule = ['a function', (value) => typeof value === 'function'];

const agentRules: Readonly<Record<keyof AgentAddress, Rule>> = {
  socket: ['the path of a socket', isText],
  name: ['a string', (value) => typeof value === 'string'],
  pid: ['the number of a process', isWhole(1, Number.MAX_SAFE_INTEGER)],
  version: ['a string', (value) => typeof value === 'string'],
  timeoutMs: ['a number of milliseconds above 0', (value) => typeof value === 'number' && value > 0],
};

const rules: Readonly<Record<keyof InspectorOptions, Rule>> = {
  recordings: ['an array of paths', (value) => Array.isArray(value) && value.every(isText)],
  agent: ['an object such as { socket: path }', isPlainObject],
  findAgain: aFunction,
  port: ['a whole number from 1 to 65535', isWhole(0, 65_535)],
  // A value that is false by mistake, such as null, would show secrets.
  mask: ['true or false', (value) => typeof value === 'boolean'],
  maxEvents: ['a whole number from 1', isWhole(1, Number.MAX_SAFE_INTEGER)],
  findAgent: aFunction,
  onAttached: aFunction,
  findAgents: aFunction,
  askFiles: aFunction,
  runFiles: aFunction,
  now: aFunction,
};

/** Returns the options. Throws a TypeError for an unknown option, for one of the wrong type, and for options that do not belong together. */
export function requireInspectorOptions(options: InspectorOptions): InspectorOptions {
  const given: unknown = options;
  if (!isPlainObject(given)) throw new TypeError(`The options of startInspector must be an object, and are ${describeOption(given)}.`);
  requireFields('', options, rules);
  const { recordings = [], agent, askFiles, runFiles } = options;
  if ((agent === undefined) === (recordings.length === 0)) {
    throw new TypeError('startInspector: pass either "recordings", a list of paths, or "agent", such as { socket: path }.');
  }
  if (agent !== undefined) requireFields('agent.', { ...agent, socket: agent.socket }, agentRules, ['socket']);
  if (runFiles !== undefined && askFiles === undefined) {
    throw new TypeError('startInspector: "runFiles" needs "askFiles", with which the page shows the commands before a run.');
  }
  return options;
}

function requireFields(path: string, given: object, known: Readonly<Record<string, Rule>>, required: readonly string[] = []): void {
  const names = Object.keys(known);
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(known, name) ? known[name] : undefined;
    if (rule === undefined) {
      throw new TypeError(
        `startInspector has no option "${path}${name}". ${suggestName(name, names, `Its options are ${names.join(', ')}.`)}`,
      );
    }
    const [expected, isValid] = rule;
    if (value === undefined && !required.includes(name)) continue;
    if (!isValid(value)) throw new TypeError(`startInspector: "${path}${name}" must be ${expected}, and is ${describeOption(value)}.`);
  }
}
