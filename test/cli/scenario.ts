/** One scenario file: commands with what is expected of each, then the files they need, all inline. */
export interface Scenario {
  readonly title: string;
  readonly steps: readonly ScenarioStep[];
  readonly files: readonly ScenarioFile[];
}

export interface ScenarioFile {
  readonly name: string;
  readonly text: string;
  readonly mode: number;
}

export interface ScenarioStep {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly expected: readonly Expectation[];
}

export interface Expectation {
  readonly stream: 'exit' | 'stdout' | 'stderr';
  /** The text must not be there. */
  readonly lacks: boolean;
  readonly text: string;
}

/**
 * `# title`, then for each command a line `$ tenterhook …` (variables may stand before it, a trailing `< text` is its standard input)
 * and expectations: `exit 0`, `stdout text it holds`, `stdout lacks text`, `stdout path.in.json = JSON value`, `stderr …`.
 * `-- name --` begins a file; `-- name (mode 644) --` and `-- name (CR LF) --` say what is special about it. A .sh file is executable.
 */
export function parseScenario(text: string): Scenario {
  const [head = '', ...rest] = text.split(/^-- (.+?)(?: \((mode \d+|CR LF)\))? --$/m);
  const files = Array.from({ length: rest.length / 3 }, (_, index): ScenarioFile => {
    const [name, special, content] = rest.slice(3 * index, 3 * index + 3) as [string, string | undefined, string];
    const lines = content.replace(/^\n/, '');
    return {
      name,
      text: special === 'CR LF' ? lines.replaceAll('\n', '\r\n') : lines,
      mode: special?.startsWith('mode') ? Number.parseInt(special.slice(5), 8) : name.endsWith('.sh') ? 0o755 : 0o644,
    };
  });
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  const steps: (ScenarioStep & { expected: Expectation[] })[] = [];
  for (const line of lines.filter((candidate) => !candidate.startsWith('#'))) {
    const command = /^\$ ((?:[A-Z_]+=\S* )*)tenterhook\s*(.*?)(?: < (.*))?$/.exec(line);
    if (command !== null) {
      const [, variables = '', args = '', stdin] = command;
      const env = Object.fromEntries(words(variables).map((word) => word.split(/=(.*)/s).slice(0, 2)));
      steps.push({ args: words(args), env, ...(stdin === undefined ? {} : { stdin }), expected: [] });
      continue;
    }
    const expectation = /^(exit|stdout|stderr)\s+(lacks )?(.*)$/.exec(line);
    if (expectation === null) throw new Error(`not a line of a scenario: ${line}`);
    const [, stream, lacks, expected = ''] = expectation;
    steps.at(-1)?.expected.push({ stream: stream as Expectation['stream'], lacks: lacks !== undefined, text: expected });
  }
  return { title: (lines[0] ?? '').replace(/^# /, ''), steps, files };
}

/** Words as a shell would split them, with single quotes and nothing else. */
function words(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? (match[2] as string));
}
