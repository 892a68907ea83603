import { formatNamed, formatNames } from '../support/formats.js';
import { withPlaces } from '../support/places.js';
import { runCli } from '../support/run-cli.js';

const misspelt: readonly (readonly [printed: object, path: string])[] = [
  [{ desicion: 'deny', reason: 'x' }, 'desicion'],
  [{ descision: 'block' }, 'descision'],
  [{ aproval: 'deny' }, 'aproval'],
  [{ permision: 'deny' }, 'permision'],
  [{ hookSpecificOuput: { permissionDecision: 'deny' } }, 'hookSpecificOuput.permissionDecision'],
  [{ contineu: false }, 'contineu'],
];

/** What output that is not a valid answer means before a tool. */
function unreadableIn(format: string) {
  const { conformance, dialect } = formatNamed(format);
  const { events = {} } = dialect('/etc');
  return conformance.unreadable?.(Object.keys(events).find((event) => events[event] === 'BeforeTool') ?? 'BeforeTool');
}

/** The formats in which a hook with an unknown field has neither failed nor denied, so that the field would be ignored. */
const lenient = formatNames.filter((name) => !['failed', 'deny all'].includes(unreadableIn(name) ?? 'no opinion'));
const cases = lenient.flatMap((dialect) => misspelt.map(([printed, path]) => [dialect, path, printed] as const));

interface Fired {
  readonly verdict: { readonly kind: string };
  readonly outcomes: readonly { readonly warnings?: readonly { readonly code: string; readonly message: string }[] }[];
}

test.each(cases)('%s: an objection in %s is a warning, and a failure of a hook that fails closed', (dialect, path, printed) =>
  withPlaces(async ({ home, at, write }) => {
    const { project, settings } = formatNamed(dialect);
    const command = `echo '${JSON.stringify(printed)}'`;
    const fire = async (isClosed: boolean): Promise<Fired> => {
      write(project, settings([{ name: 'g', command, onError: isClosed ? 'block' : 'continue' }]));
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
