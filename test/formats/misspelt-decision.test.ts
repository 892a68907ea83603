import { withPlaces } from '../support/places.js';
import { runCli } from '../support/run-cli.js';

/** A hook of each format that prints `answer`, and how it denies if it fails. */
const settings: Readonly<Record<string, readonly [file: string, of: (command: string, isClosed: boolean) => object]>> = {
  llxprt: [
    '.llxprt/settings.json',
    (command, isClosed) => ({
      tools: { enableHooks: true },
      hooks: { BeforeTool: [{ hooks: [{ type: 'command', name: 'g', command, onError: isClosed ? 'block' : 'continue' }] }] },
    }),
  ],
  'claude-code': [
    '.claude/settings.json',
    (command, isClosed) => ({
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, onFailure: isClosed ? 'block' : 'continue' }] }] },
    }),
  ],
  'gemini-cli': [
    '.gemini/settings.json',
    (command, isClosed) => ({
      hooks: { BeforeTool: [{ hooks: [{ type: 'command', name: 'g', command, onError: isClosed ? 'block' : 'continue' }] }] },
    }),
  ],
  eca: [
    '.eca/config.json',
    (command, isClosed) => ({
      hooks: { g: { type: 'preToolCall', onError: isClosed ? 'block' : 'continue', actions: [{ type: 'shell', shell: command }] } },
    }),
  ],
};

const misspelt: readonly (readonly [printed: object, path: string])[] = [
  [{ desicion: 'deny', reason: 'x' }, 'desicion'],
  [{ descision: 'block' }, 'descision'],
  [{ aproval: 'deny' }, 'aproval'],
  [{ hookSpecificOuput: { permissionDecision: 'deny' } }, 'hookSpecificOuput.permissionDecision'],
  [{ contineu: false }, 'contineu'],
];

const cases = Object.keys(settings).flatMap((dialect) => misspelt.map(([printed, path]) => [dialect, path, printed] as const));

interface Fired {
  readonly verdict: { readonly kind: string };
  readonly outcomes: readonly { readonly warnings?: readonly { readonly code: string; readonly message: string }[] }[];
}

test.each(cases)('%s: an objection in %s is a warning, and a failure of a hook that fails closed', (dialect, path, printed) =>
  withPlaces(async ({ home, at, write }) => {
    const [file, of] = settings[dialect] as NonNullable<(typeof settings)[string]>;
    const command = `echo '${JSON.stringify(printed)}'`;
    const fire = async (isClosed: boolean): Promise<Fired> => {
      write(`project/${file}`, JSON.stringify(of(command, isClosed)));
      const input = JSON.stringify({ tool_name: 'write_file', tool_input: { path: 'a', content: 'b' } });
      const { stdout } = await runCli(['fire', 'BeforeTool', '--input', input, '--json'], { cwd: at('project'), home });
      return (JSON.parse(stdout) as { readonly output: Fired }).output;
    };
    const open = await fire(false);
    expect(open.verdict.kind).toBe('none');
    expect(open.outcomes.flatMap(({ warnings = [] }) => warnings)).toContainEqual({
      code: 'other_spelling',
      message: expect.stringMatching(new RegExp(`^${path} is .*, which decides nothing in this format; it is ignored. To deny, print \\{`)),
    });
    expect((await fire(true)).verdict.kind).toBe('deny');
  }),
);
