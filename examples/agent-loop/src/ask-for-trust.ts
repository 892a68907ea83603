import { escapeForTerminal, type Hooks } from 'tenterhook';

type Request = ReturnType<Hooks['trust']['requests']>[number];

/**
 * Asks the user once about all hooks of the project that are new or have changed. If the user cannot be asked, these hooks do not
 * run. A line reports this, because the guards of the project are then missing.
 */
export async function askForTrust(
  { trust }: Pick<Hooks, 'trust'>,
  isAsking: boolean,
  confirm: (question: string) => Promise<boolean>,
  print: (line: string) => void,
): Promise<void> {
  const requests = trust.requests();
  if (requests.length === 0) return;
  if (!isAsking) {
    print(`trust  ${count(requests)} of the project do not run: they are not trusted. With --ask you can decide.\n`);
    return;
  }
  const [added, changed] = (['new', 'changed'] as const).map((state) => requests.filter((request) => request.state === state)) as [
    Request[],
    Request[],
  ];
  if (added.length > 0) print(`trust  ${count(added)} came with the project:`);
  for (const request of added) print(`         ${describe(request)}`);
  if (changed.length > 0) print(`trust  ${count(changed)} changed, or files that they run, since you trusted them:`);
  for (const request of changed) print(`         ${describe(request)}`);
  if (!(await confirm('May they run?'))) return;
  for (const { pin } of requests) await trust.accept(pin);
}

function count({ length }: readonly Request[]): string {
  return `${length} hook${length === 1 ? '' : 's'}`;
}

/** Returns one line about a hook. Its texts come from the project, so they are escaped. */
function describe({ definition }: Request): string {
  const { event, action } = definition as { readonly event: string; readonly action: unknown };
  return `${escapeForTerminal(event).padEnd(16)}  ${escapeForTerminal(commandIn(action))}`;
}

/** Returns the command as written in the settings, or the JSON of an action of another kind. */
function commandIn(action: unknown): string {
  const { command } = action as { readonly command?: string | { readonly text?: string } };
  return (typeof command === 'string' ? command : command?.text) ?? JSON.stringify(action);
}
