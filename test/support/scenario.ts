/** One scenario file: commands with what is expected of each, then the files they need, all inline. */
export interface Scenario {
  readonly title: string;
  readonly steps: readonly ScenarioStep[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

export interface ScenarioStep {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly expected: readonly { readonly stream: 'exit' | 'stdout' | 'stderr'; readonly text: string }[];
}

/**
 * `# title`, then for each command a line `$ tenterhook …` (a trailing `< text` is its standard input) and expectations:
 * `exit 0`, `stdout text it holds`, `stdout path.in.json = JSON value`, `stderr …`; `-- name --` begins a file.
 */
export function parseScenario(text: string): Scenario {
  const [head = '', ...rest] = text.split(/^-- (.+) --$/m);
  const files = Array.from({ length: rest.length / 2 }, (_, index) => ({
    name: rest[2 * index] as string,
    text: (rest[2 * index + 1] as string).replace(/^\n/, ''),
  }));
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  const steps: { args: string[]; stdin?: string; expected: { stream: 'exit' | 'stdout' | 'stderr'; text: string }[] }[] = [];
  for (const line of lines.filter((candidate) => !candidate.startsWith('#'))) {
    const command = /^\$ tenterhook\s*(.*?)(?: < (.*))?$/.exec(line);
    if (command !== null) {
      steps.push({ args: words(command[1] as string), ...(command[2] === undefined ? {} : { stdin: command[2] }), expected: [] });
      continue;
    }
    const expectation = /^(exit|stdout|stderr)\s+(.*)$/.exec(line);
    if (expectation === null) throw new Error(`not a line of a scenario: ${line}`);
    steps.at(-1)?.expected.push({ stream: expectation[1] as 'exit', text: expectation[2] as string });
  }
  return { title: (lines[0] ?? '').replace(/^# /, ''), steps, files };
}

/** Words as a shell would split them, with single quotes and nothing else. */
function words(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? (match[2] as string));
}
