import { runInThisContext } from 'node:vm';

/** Variables; undefined takes one away. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** With these no variable moves settings of the user out of the home directory. */
export const noOtherHome = { XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '', GEMINI_CLI_HOME: '' };

/**
 * jest gives tests a copy of process.env, which is what our code and its hooks see; Node itself, whose homedir() reads HOME, sees the one of the
 * process. A test that sets only the copy would look for settings in the home of the user who runs it.
 */
const ofTheProcess = (runInThisContext('process') as NodeJS.Process).env;

/** Sets variables while a test uses them, for our code, for hooks and for Node. */
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
