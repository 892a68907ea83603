/** One scenario file: commands with the results that are expected of each, then the files that they need. */
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
  /** True if the text must be absent. */
  readonly lacks: boolean;
  readonly text: string;
}

/**
 * Parses a scenario. The first line is `# title`. Then each command has a line `$ tenterhook …` and its expectations: `exit 0`, `stdout
 * text it contains`, `stdout lacks text`, `stdout path.in.json = JSON value`, `stderr …`. Variables may be in front of the command; `<
 * text` at its end is its standard input. `-- name --` begins a file; `-- name (mode 644) --` and `-- name (CR LF) --` add properties. A
 * .sh file is executable.
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

/** Splits a line into words like a shell, but supports only single quotes. */
function words(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? (match[2] as string));
}
