import { defaultDialects } from '@tenterhook/dialects';
import { dialectContext } from '../../../src/settings/discover/dialect-context.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { type Directory, withFiles } from '../settings-rig.js';

const hook = (command: string, more: object = {}) => ({ type: 'command', command, ...more });
const group = (matcher: string | undefined, ...hooks: object[]) => ({ ...(matcher === undefined ? {} : { matcher }), hooks });
const llxprt = (event: string, ...groups: object[]) => ({ tools: { enableHooks: true }, hooks: { [event]: groups } });
const claude = (event: string, ...groups: object[]) => ({ hooks: { [event]: groups } });
const eca = (type: string, shell: string) => ({ hooks: { guard: { type, actions: [{ type: 'shell', shell }] } } });

async function notesOf({ path, at }: Directory) {
  const context = { ...dialectContext(path), home: at('home'), environment: {} };
  const { diagnostics } = await loadSettings({ dialects: defaultDialects(), context, extensions: [], lastGood: new Map() });
  return diagnostics.filter(({ code }) => code === 'repeated_command');
}

const notesIn = (files: Record<string, unknown>) => withFiles(files, notesOf);

const guard =
  '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard" }] }\n    ]\n  }\n}';

test('a command in two formats on one event is reported once, with both files and lines', async () => {
  await withFiles(
    {
      '.claude/settings.json': guard,
      '.llxprt/settings.json': llxprt('BeforeTool', group('^run_shell_command$', hook('guard'))),
    },
    async (directory) => {
      const notes = await notesOf(directory);
      expect(notes).toHaveLength(1);
      expect(notes).toMatchObject([
        {
          code: 'repeated_command',
          severity: 'note',
          message: `The same command is also configured for BeforeTool in ${directory.at('.llxprt/settings.json')}:1 (llxprt); both run.`,
          remedy: 'If both are the same hook, remove one of them, or let the agent read only one dialect.',
          file: directory.at('.claude/settings.json'),
          line: 4,
          dialect: 'claude-code',
          source: 'project',
          eventName: 'BeforeTool',
          hookId: 'claude-code/project/BeforeTool/0.0',
        },
      ]);
    },
  );
});

test.each([
  ['with the directory of the project in the words of each', '"$CLAUDE_PROJECT_DIR"/g.sh', '"$LLXPRT_PROJECT_DIR"/g.sh'],
  ['with variables that one exports and the other has', 'export LEVEL=strict; g', 'g', { env: { LEVEL: 'strict' } }],
] as [string, string, string, object?][])('a command %s is the same', async (_, ofClaude, ofLlxprt, more = {}) => {
  const files = {
    '.claude/settings.json': claude('PreToolUse', group(undefined, hook(ofClaude))),
    '.llxprt/settings.json': llxprt('BeforeTool', group('^write_file$', hook(ofLlxprt, more))),
  };
  expect(await notesIn(files)).toHaveLength(1);
});

test('in three formats the second and the third are reported', async () => {
  const notes = await notesIn({
    '.claude/settings.json': claude('Stop', group(undefined, hook('log'))),
    '.llxprt/settings.json': llxprt('AfterAgent', group(undefined, hook('log'))),
    '.eca/config.json': eca('postRequest', 'log'),
  });
  expect(notes.map(({ dialect }) => dialect)).toEqual(['claude-code', 'eca']);
});

const one = llxprt('BeforeTool', group('^run_shell_command$', hook('guard')));

test.each([
  ['another event', claude('PostToolUse', group('Bash', hook('guard')))],
  ['another command', claude('PreToolUse', group('Bash', hook('other')))],
  ['other tools', claude('PreToolUse', group('Write', hook('guard')))],
  ['another environment', claude('PreToolUse', group('Bash', hook('export A=1; guard')))],
  ['a hook that is switched off', { disableAllHooks: true, ...claude('PreToolUse', group('Bash', hook('guard'))) }],
  ['a hook that is wrong', claude('PreToolUse', group('a(', hook('guard')))],
  ['a prompt', claude('PreToolUse', group('Bash', { type: 'prompt', prompt: 'guard' }))],
])('nothing is said of %s', async (_, settings) => {
  expect(await notesIn({ '.claude/settings.json': settings, '.llxprt/settings.json': one })).toEqual([]);
});

test('a copy that does not run is not reported', async () => {
  const twice = claude('PreToolUse', group('Bash', hook('guard')), group('Bash', hook('guard')));
  expect(await notesIn({ '.claude/settings.json': twice, '.llxprt/settings.json': one })).toHaveLength(1);
  const off = { tools: { enableHooks: false }, hooks: one.hooks };
  expect(await notesIn({ '.claude/settings.json': twice, '.llxprt/settings.json': off })).toEqual([]);
});

test('of many the first are reported, and the number of the others', async () => {
  const commands = Array.from({ length: 40 }, (__, index) => hook(`guard ${index}`));
  const notes = await notesIn({
    '.claude/settings.json': claude('PreToolUse', group('Bash', ...commands)),
    '.llxprt/settings.json': llxprt('BeforeTool', group('^run_shell_command$', ...commands)),
  });
  expect(notes).toHaveLength(11);
  expect(notes.at(-1)).toEqual({
    code: 'repeated_command',
    severity: 'note',
    message: '30 more commands are configured in settings of two formats; both run.',
  });
});
