import { mistake, settingsWith } from './mistake.js';

// Mistakes in hook scripts: `fire` prints what is wrong, the file and line where the hook is configured, and how to fix it.

const settings = '.llxprt/settings.json';
const place = `at ${settings}:5`;
const exit2 = '#!/bin/sh\nexit 2\n';

/** Settings with one hook that has this command, in line 5. */
const withCommand = (command: string, fields: object = {}) => ({ [settings]: settingsWith([{ name: 'guard', command, ...fields }]) });

/** Settings with a hook that prints this and exits with 0. */
const printing = (answer: object) => withCommand(`echo '${JSON.stringify(answer)}'`);

/** Settings in Claude Code's format, with the hook in line 4. */
const inClaude = (answer: object, event = 'PreToolUse') => ({
  '.claude/settings.json': `{\n  "hooks": {\n    "${event}": [{ "hooks": [\n      ${JSON.stringify({ type: 'command', command: `echo '${JSON.stringify(answer)}'` })}\n    ] }]\n  }\n}\n`,
});

mistake(
  {
    id: 'missing-script',
    files: withCommand('./guard.sh'),
  },
  async ({ fire }) => {
    const { text, status } = await fire();
    expect(status).toBe(0);
    expect(text).toContain('did not find its command "./guard.sh" (exit code 127). Check the path; ');
    expect(text).toContain(place);
    const json = JSON.parse((await fire('--json')).stdout);
    expect(json.output.outcomes[0]).toMatchObject({ file: expect.stringMatching(/^\/.*\.llxprt\/settings\.json$/), line: 5 });
  },
);

mistake(
  {
    id: 'missing-interpreter',
    files: {
      [settings]: settingsWith([{ command: './guard.sh' }, { command: './guard-env.sh' }]),
      'guard.sh': '#!/opt/nowhere/python\n',
      'guard-env.sh': '#!/usr/bin/env nosuchpython\n',
    },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'names the interpreter "/opt/nowhere/python", which does not exist. Install the interpreter, or correct the first line of ./guard.sh.',
    );
    expect(text).toContain('names the interpreter "nosuchpython", which is not installed. Install nosuchpython, ');
    expect(text).toContain(place);
    expect(text).toContain(`at ${settings}:6`);
  },
);

mistake(
  {
    id: 'relative-path-from-another-directory',
    files: { ...withCommand('hooks/guard.sh'), 'hooks/guard.sh': exit2 },
    input: { cwd: '/', tool_name: 'run_shell_command', tool_input: { command: 'ls' } },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'a relative path starts in the hook\'s working directory. For a file of the project, begin the path with "$LLXPRT_PROJECT_DIR".',
    );
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'tilde-in-quotes',
    files: { ...withCommand('"~/guards/guard.sh"'), '~/guards/guard.sh': exit2 },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain('The shell does not expand ~ within quotes: write "$HOME/guards/guard.sh", or ~ before the quotes.');
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'windows-path',
    files: { ...withCommand('.llxprt\\hooks\\guard.sh'), '.llxprt/hooks/guard.sh': exit2 },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain('The shell removes backslashes that are not quoted: write .llxprt/hooks/guard.sh.');
    expect(text).toContain(place);
    expect(text).not.toContain('PATH');
  },
);

mistake(
  {
    id: 'blank-in-the-path',
    project: 'my project',
    files: {
      [settings]: settingsWith([{ command: '$LLXPRT_PROJECT_DIR/guard.sh' }, { command: './my hooks/guard.sh' }]),
      'guard.sh': exit2,
      'my hooks/guard.sh': exit2,
    },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain('$LLXPRT_PROJECT_DIR is not quoted, and the shell splits its value at a blank: write "$LLXPRT_PROJECT_DIR".');
    expect(text).toContain('The shell splits a path at a blank: write "./my hooks/guard.sh", with the quotes.');
    expect(text).toContain(place);
    expect(text).toContain(`at ${settings}:6`);
  },
);

mistake(
  {
    id: 'unset-variable',
    files: { [settings]: settingsWith([{ command: '"$GUARDS_HOME"/guard.sh' }, { command: 'cat "$GUARDS_HOME"/rules' }]) },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'did not find its command "/guard.sh" (exit code 127). $GUARDS_HOME is empty: set it in the environment of the agent, ',
    );
    expect(text).toContain('failed with exit code 1 and is ignored. Exit with 2 to deny. $GUARDS_HOME is empty: set it ');
    expect(text).toContain(place);
    expect(text).toContain(`at ${settings}:6`);
  },
);

mistake(
  {
    id: 'script-is-a-directory',
    files: { ...withCommand('./guard'), 'guard/guard.sh': exit2 },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain('./guard is a directory. Write the path of a program in it.');
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'no-exec-bit',
    files: { [settings]: settingsWith([{ command: '"$LLXPRT_PROJECT_DIR"/guard.sh' }]), 'guard.sh': exit2 },
    modes: { 'guard.sh': 0o644 },
    project: `project-${'with-a-long-name-'.repeat(12)}`,
  },
  async ({ fire, project }) => {
    const { text } = await fire();
    expect(text).toContain('Make it executable: chmod +x guard.sh.');
    expect(text).toContain(place);
    const json = JSON.parse((await fire('--json')).stdout);
    const { message } = json.output.outcomes[0].warnings[0];
    expect(message).toContain(`chmod +x ${project}/guard.sh.`);
    // The message has neither doubled quotes nor the path twice.
    expect(message).not.toContain('""');
    expect(message.split(`${project}/guard.sh`)).toHaveLength(2);
  },
);

mistake(
  {
    id: 'crlf-shebang',
    files: { ...withCommand('./guard.sh'), 'guard.sh': '#!/bin/bash\r\nexit 2\r\n' },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      "the lines of the script end with CR LF, and the CR becomes part of a name. Convert the script: sed -i 's/\\r$//' ./guard.sh.",
    );
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'timeout-too-small',
    files: withCommand('sleep 30', { timeout: 60 }),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'did not end within 60 ms and was stopped. Raise its timeout, or make the hook faster. The failure is ignored (onError: continue).',
    );
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'exit-1-for-2',
    files: withCommand("echo 'No rm -rf here.' >&2; exit 1"),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain('hook "guard" failed with exit code 1 and is ignored. Exit with 2 to deny. It printed: No rm -rf here.');
    expect(text).toContain(place);
    expect(text).toContain('→ none');
  },
);

mistake(
  {
    id: 'deny-for-block',
    files: inClaude({ decision: 'deny', reason: 'No.' }),
    event: 'PreToolUse',
    input: { tool_name: 'Bash', tool_input: { command: 'ls' } },
  },
  async ({ fire }) => {
    const { text } = await fire('--dialect', 'claude-code');
    expect(text).toContain(
      '"decision" must be "block" or "approve" for Claude Code, and is "deny"; Tenterhook treats it as "deny". Write { "hookSpecificOutput": ',
    );
    expect(text).toContain('at .claude/settings.json:4');
    expect(text).toContain('→ deny');
  },
);

mistake(
  {
    id: 'text-before-the-json',
    files: withCommand(`echo checking; echo '{"decision":"allow"}'`),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'stdout mixes JSON with other text ("checking"). Only a deny, an ask and a stop in it have an effect. Ignored: decision "allow". Print one JSON object and nothing else, and logs to stderr.',
    );
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'permission-outside',
    files: inClaude({ permissionDecision: 'deny' }),
    event: 'PreToolUse',
    input: { tool_name: 'Bash', tool_input: { command: 'ls' } },
  },
  async ({ fire }) => {
    const { text } = await fire('--dialect', 'claude-code');
    expect(text).toContain(
      '⚠ permissionDecision is at the top level, where Claude Code does not read it; Tenterhook treats it as "deny". Write the field into hookSpecificOutput.',
    );
    expect(text).toContain('at .claude/settings.json:4');
    expect(text).toContain('→ deny');
  },
);

mistake(
  {
    id: 'wrong-event-name-in-the-answer',
    files: inClaude({ hookSpecificOutput: { hookEventName: 'pretooluse', permissionDecision: 'deny' } }),
    event: 'PreToolUse',
    input: { tool_name: 'Bash', tool_input: { command: 'ls' } },
  },
  async ({ fire }) => {
    const { text } = await fire('--dialect', 'claude-code');
    expect(text).toContain(
      'hookSpecificOutput.hookEventName must be "PreToolUse", and is "pretooluse": only the deny or ask in hookSpecificOutput has an effect. Write "hookEventName": "PreToolUse".',
    );
    expect(text).toContain('at .claude/settings.json:4');
    expect(text).toContain('→ deny');
  },
);

mistake(
  {
    id: 'not-utf-8',
    files: withCommand("printf 'caf\\351\\n'"),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain('printed bytes that are not UTF-8. They were replaced by U+FFFD. Print UTF-8: ');
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'huge-output',
    files: withCommand("head -c 17000000 /dev/zero | tr '\\0' x"),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'wrote 17000000 bytes, more than the limit; the answer is not read. Print only the answer to stdout, and write other output to a file.',
    );
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'daemon-left-behind',
    files: withCommand('sleep 2 & exit 0'),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'left 1 of its processes running. The processes were not stopped. Wait for them at the end of the hook (wait), or stop them there.',
    );
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'bashism-under-sh',
    programs: ['dash'],
    files: { ...withCommand('dash ./guard.sh'), 'guard.sh': '#!/bin/sh\nif [[ rm == rm ]]; then exit 2; fi\nexit 0\n' },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'exited with 0, although "[[" was not found in line 2 of ./guard.sh. "[[" is a command of bash: begin the script with #!/bin/bash, ',
    );
    expect(text).toContain('stderr: ./guard.sh: 2: [[: not found');
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'command-not-found-in-the-script',
    files: { ...withCommand('./guard.sh'), 'guard.sh': '#!/bin/bash\nnosuchjq -r .tool_name\nexit 0\n' },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'exited with 0, although "nosuchjq" was not found in line 2 of ./guard.sh. Install nosuchjq, or add its folder to PATH.',
    );
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'deny-in-the-wrong-field',
    files: { [settings]: settingsWith(['permission', 'verdict', 'action'].map((field) => ({ command: `echo '{"${field}":"deny"}'` }))) },
  },
  async ({ fire }) => {
    const { text } = await fire();
    for (const [index, field] of ['permission', 'verdict', 'action'].entries()) {
      expect(text).toContain(
        `${field} is "deny", which decides nothing in this format; it is ignored. To deny, print {"decision":"deny"}.`,
      );
      expect(text).toContain(`at ${settings}:${5 + index}`);
    }
    expect(text).not.toContain('✓');
  },
);

mistake(
  {
    id: 'boolean-for-a-decision',
    files: {
      [settings]: settingsWith([{ block: true }, { approved: false }].map((answer) => ({ command: `echo '${JSON.stringify(answer)}'` }))),
    },
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain('block is true, which decides nothing in this format; it is ignored. To deny, print {"decision":"deny"}.');
    expect(text).toContain('approved is false, which decides nothing');
    expect(text).toContain(place);
    expect(text).toContain(`at ${settings}:6`);
  },
);

mistake(
  {
    id: 'answer-on-stderr',
    files: withCommand(`echo '{"decision":"deny"}' >&2`),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'printed a decision to stderr ({"decision":"deny"}); it is ignored, because stderr is a log. Print it to stdout.',
    );
    expect(text).toContain(place);
    expect(text).not.toContain('✓');
  },
);

mistake(
  {
    id: 'updated-input-outside',
    files: printing({ decision: 'allow', updatedInput: { command: 'ls -l' } }),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain(
      'updatedInput is not a field of this format; it was dropped. Write { "hookSpecificOutput": { "tool_input": { … } } }, ',
    );
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'question-on-the-terminal',
    files: withCommand('read -r answer < /dev/tty || exit 1'),
  },
  async ({ fire }) => {
    const { text } = await fire();
    expect(text).toContain('A hook has no terminal: to ask the user, answer with the decision "ask".');
    expect(text).toContain(place);
  },
);

mistake(
  {
    id: 'stdin-not-read',
    files: {
      [settings]: settingsWith([
        { name: 'of-arguments', command: 'case "$1" in *rm*) exit 2 ;; esac' },
        { name: 'of-stdin', command: 'cat >/dev/null' },
        { name: 'of-its-file', command: 'cat /dev/stdin >/dev/null' },
        { name: 'of-the-first-line', command: 'head -c 1 >/dev/null' },
      ]),
    },
  },
  async ({ fire }) => {
    const { text } = await fire();
    const [first = '', others = ''] = text.split('of-stdin');
    expect(first).toContain('hint: it did not read its input, the event as JSON on stdin');
    expect(first).toContain(place);
    expect(others).not.toContain('hint');
  },
);
