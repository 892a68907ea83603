import { createHooks } from 'tenterhook';

const when = '2026-11-21T10:00:00.000Z';

/**
 * Returns what the hooks of a page's example read on stdin. This is the input of its first `tenterhook fire`, passed through a hook
 * system. The command of the hook is not started. Ids, folders and the time are fixed, so that the page is the same on every
 * machine.
 */
export async function exampleStdin(eventName, page) {
  let stdin = '';
  const executor = {
    kind: 'command',
    async run(invocation, _hook, _event, { onStart }) {
      onStart();
      stdin = invocation.stdin;
      return { kind: 'answered', answer: {}, durationMs: 0 };
    },
  };
  const settings = { hooks: { [eventName]: [{ hooks: [{ command: 'true' }] }] } };
  const options = { dialect: 'llxprt', advanced: { executors: [executor] }, projectDir: '/home/ada/app', sessionId: 's-1' };
  const hooks = await createHooks({ settings, ...options });
  await hooks.getEventHandler().fire(eventName, inputOnPage(eventName, page));
  await hooks.dispose();
  if (stdin === '') throw new Error(`${eventName}: the input of the example on its page is not valid.`);
  return JSON.stringify({ ...JSON.parse(stdin), timestamp: when }, null, 2);
}

function inputOnPage(eventName, page) {
  const command = page.match(new RegExp(`^npx tenterhook fire ${eventName}\\b.*$`, 'm'))?.[0];
  if (command === undefined) throw new Error(`${eventName}: its page has no line "npx tenterhook fire ${eventName} …".`);
  const [, inline, file] = command.match(/--input (?:'([^']*)'|@(\S+))/) ?? [];
  if (file === undefined) return JSON.parse(inline ?? '{}');
  const block = page.match(new RegExp(`^\`\`\`json file=${file.replaceAll('.', '\\.')}\\n([\\s\\S]*?)^\`\`\`$`, 'm'));
  if (block === null) throw new Error(`${eventName}: its page has no block "json file=${file}".`);
  return JSON.parse(block[1]);
}
