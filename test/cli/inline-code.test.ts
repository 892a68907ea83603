import { withPlaces } from '../support/places.js';
import { runCli } from '../support/run-cli.js';

/** Returns what `validate` reports about one guard in the settings of a user, or of a project. */
function validate(command: string | readonly string[], { file = 'home/.claude/settings.json', event = 'PreToolUse' } = {}) {
  return withPlaces(async ({ home, project, write }) => {
    const [program, ...args] = typeof command === 'string' ? [command] : command;
    const hook = { type: 'command', command: program, ...(typeof command === 'string' ? {} : { args }) };
    const path = write(file, `{ "hooks": { "${event}": [ { "hooks": [\n${JSON.stringify(hook)}\n] } ] } }`);
    const { status, stdout, stderr } = await runCli(['validate', '--json'], { cwd: project, home });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; file: string; line: number; message: string }[] };
    return { status, stderr, path, found: diagnostics.filter(({ code }) => code === 'inline_interpreter') };
  });
}

test.each<[command: string | readonly string[], interpreter: string]>([
  ["python3 -c 'import json, sys; sys.exit(2)'", 'python3'],
  ['/usr/bin/python3.9 -Sc "import json"', 'python3.9'],
  ['cat | python -m json.tool', 'python'],
  ["node -e 'process.exit(2)'", 'node'],
  ['jq . | node --input-type=module --eval "import x"', 'node'],
  [['node', '-p', 'require("x")'], 'node'],
])('validate warns about the guard %j of a user, with its place', async (command, interpreter) => {
  const { status, found, path } = await validate(command);
  expect({ status, found }).toEqual({
    status: 0,
    found: [
      expect.objectContaining({
        severity: 'warning',
        file: path,
        line: 2,
        message: expect.stringContaining(`passes code to ${interpreter} as an argument`),
        remedy: expect.stringContaining('a file outside of the project'),
      }),
    ],
  });
});

test.each<[command: string, place: { file?: string; event?: string }]>([
  ["python3 -I -c 'import json'", {}],
  ['python3 guard.py -c', {}],
  ['node guard.js -e', {}],
  ["python3 -c 'import json'", { file: 'project/.claude/settings.json' }],
  ["python3 -c 'import json'", { event: 'Notification' }],
])('it does not warn about %j in %j', async (command, place) => {
  expect((await validate(command, place)).found).toEqual([]);
});
