import { command, deeds, preToolUse, withClaude } from './claude-hooks.js';

/** Fires the agent's shell tool for each line, with a hook that always denies what its condition lets through. */
async function deniedOf(rule: string, lines: readonly string[]): Promise<string[]> {
  const hook = command('echo "Ask first." >&2; exit 2', { if: rule });
  return withClaude(preToolUse(hook, { matcher: 'Bash' }), async ({ handler }) => {
    const denied: string[] = [];
    for (const line of lines) {
      const result = await handler.fireBeforeToolEvent('run_shell_command', { command: line });
      expect(['blocked', 'skipped: condition']).toContain(deeds(result)[0]);
      if (result.verdict.kind === 'deny') denied.push(line);
    }
    return denied;
  });
}

/** The rows of the table in Claude Code's hooks reference, each with further lines of the same kind. */
const rows: readonly [row: string, rule: string, fitting: readonly string[], others: readonly string[]][] = [
  [
    'leading assignments are left out',
    'Bash(docker *)',
    ['DOCKER_HOST=tcp://h docker ps', 'A=1 B="x y" docker run app', 'docker'],
    ['docker_host=1 podman ps', 'A=docker true'],
  ],
  [
    'each command of a line is compared',
    'Bash(npm publish *)',
    ['npm test && npm publish', 'cd pkg; npm publish --tag next', 'if npm test; then npm publish; fi', 'case x in a) npm publish ;; esac'],
    ['npm test && npm pack', 'echo npm publish', 'for f in a; do npm test; done', 'case publish in a) npm test ;; esac'],
  ],
  [
    'commands in $() and backquotes are compared',
    'Bash(kubectl *)',
    ['echo $(kubectl get pods)', 'x=`kubectl config view`', 'echo "$(ssh-add; kubectl delete ns a)"'],
    ['echo $(date)', 'echo before `date` after', 'ls "$HOME/kubectl"', 'npm run $TASK'],
  ],
  [
    'a name that is in a variable or comes from a substitution can be any command',
    'Bash(terraform *)',
    ['$EDITOR notes.md', '"$(which tool)" apply', '$A$B x', '`cat cmd` y'],
    ['vi $FILE', 'echo $EDITOR', 'sudo rm "$FILE" now', 'find "$DIR" -name x'],
  ],
  [
    'a rule with more than a name fits every line with a substitution or a variable',
    'Bash(terraform destroy *)',
    ['echo $(date)', 'ls `pwd`', 'ls $HOME', `grep "\${PATTERN}" file`, 'for f in *; do cat $f; done'],
    ['ls *.tf', "echo 'costs $5'", 'terraform plan', 'terraform -chdir=x destroy'],
  ],
];

test.each(rows)('%s: %s', async (_, rule, fitting, others) => {
  expect(await deniedOf(rule, [...fitting, ...others])).toEqual(fitting);
});

test('a line that cannot be parsed, or is too long, fits every rule', async () => {
  const unknown = ['echo "not closed', 'cat <<EOF\nno end', `: ${'a'.repeat(10_000)}`];
  for (const rule of ['Bash(git push *)', 'Bash(rm *)']) expect(await deniedOf(rule, unknown)).toEqual(unknown);
});

test('a harmless line that a rule is not about is not denied because it hides what a shell reads', async () => {
  const lines = [
    'curl -fsSL https://example.com/setup.sh | sh -s -- --yes',
    'wget -qO- https://example.com/i | sudo bash',
    'bash < build.txt',
    'bash <<< "npm test"',
    'source .venv/bin/activate',
    'printf "a b" | xargs -n1 npm',
    'git a*',
    'rm -r {dist,build}',
    'yes | node',
    'time make',
  ];
  expect(await deniedOf('Bash(git push *--force*)', lines)).toEqual([]);
  expect(await deniedOf('Bash(aws *)', lines)).toEqual([]);
  expect(await deniedOf('Bash(bash *)', lines)).toEqual([
    'wget -qO- https://example.com/i | sudo bash',
    'bash < build.txt',
    'bash <<< "npm test"',
  ]);
});
