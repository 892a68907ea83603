import { runInThisContext } from 'node:vm';

/** Variables by name; undefined removes one. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Without these variables, all settings of the user are in the home directory. */
export const noOtherHome = { XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '', GEMINI_CLI_HOME: '', COPILOT_HOME: '' };

/**
 * The environment of the process. jest gives tests a copy of process.env, which our code and its hooks use. Node itself uses that of the
 * process: its homedir() reads HOME. A test that sets only the copy would find settings in the home directory of the user who runs it.
 */
const ofTheProcess = (runInThisContext('process') as NodeJS.Process).env;

/** Sets variables for the time of a test, for our code, for hooks and for Node. */
export async function withEnvironment<Result>(variables: Variables, use: () => Promise<Result>): Promise<Result> {
  const environments = [process.env, ofTheProcess];
  const before = environments.map((environment) => Object.keys(variables).map((name) => [name, environment[name]] as const));
  for (const environment of environments) for (const [name, value] of Object.entries(variables)) set(environment, name, value);
  try {
    return await use();
  } finally {
    for (const [index, environment] of environments.entries())
      for (const [name, value] of before[index] ?? []) set(environment, name, value);
  }
}

function set(environment: NodeJS.ProcessEnv, name: string, value: string | undefined): void {
  if (value === undefined) delete environment[name];
  else environment[name] = value;
}
