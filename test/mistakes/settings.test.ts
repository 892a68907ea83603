import { mistake, settingsWith } from './mistake.js';

// Mistakes in settings files. `validate` prints what is wrong, where, and how to fix it, before anything runs.

const settings = '.llxprt/settings.json';
const ofClaude = '.claude/settings.json';

/** Settings in LLxprt's format that switch hooks on and have these lines under "hooks", from line 4 on. */
function hooksOf(...lines: readonly string[]): string {
  return `{\n  "tools": { "enableHooks": true },\n  "hooks": {\n${lines.map((line) => `    ${line}`).join('\n')}\n  }\n}\n`;
}

/** Settings with a guard that has this matcher, in line 4. */
function matcherOf(matcher: string): string {
  return hooksOf(`"BeforeTool": [{ "matcher": ${JSON.stringify(matcher)}, "hooks": [{ "command": "exit 2" }] }]`);
}

/** Settings with one hook that has this command, in line 5. */
function commandOf(command: string): string {
  return settingsWith([{ name: 'guard', command }]);
}

mistake(
  {
    id: 'event-typo',
    files: { [settings]: hooksOf('"BeforeTol": [{ "hooks": [{ "command": "exit 2" }] }]') },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain('.llxprt/settings.json:4:18 hooks.BeforeTol: ');
    expect(text).toContain('Did you mean "BeforeTool"?');
  },
);

mistake(
  {
    id: 'event-typo-of-another-agent',
    files: { [settings]: hooksOf('"PreTolUse": [{ "hooks": [{ "command": "exit 2" }] }]') },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:4:18 hooks.PreTolUse: `);
    expect(text).toContain('Did you mean "PreToolUse"? In this format that event is "BeforeTool".');
  },
);

mistake(
  {
    id: 'claude-in-llxprt',
    files: { [settings]: hooksOf('"PreToolUse": [{ "hooks": [{ "command": "exit 2" }] }]') },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:4:19 hooks.PreToolUse: `);
    expect(text).toContain('in this format it is "BeforeTool".');
  },
);

mistake(
  {
    id: 'type-case',
    files: { [settings]: settingsWith([{ type: 'Command', command: 'exit 2' }]) },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:5:15 `);
    expect(text).toContain('Write "type": "command", in lower case');
  },
);

mistake(
  {
    id: 'seconds-for-milliseconds',
    files: { [settings]: settingsWith([{ command: 'exit 2', timeout: 30 }]) },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:5:37 `);
    expect(text).toContain('If you meant seconds, write 30000.');
  },
);

mistake(
  {
    id: 'invalid-regex',
    files: { [settings]: matcherOf('write_(file') },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Close the "("');
  },
);

mistake(
  {
    id: 'glob-or-regex',
    files: { [settings]: matcherOf('^run_*$') },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Write "^run_.*$".');
  },
);

mistake(
  {
    id: 'files-as-a-matcher',
    files: { [settings]: matcherOf('src/**/*.ts') },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Write "matcher": "^(write_file|replace)$", and compare the path inside the hook.');
  },
);

mistake(
  {
    id: 'slashes-around-a-matcher',
    files: { [settings]: matcherOf('/run_shell_command/') },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Write "run_shell_command".');
  },
);

mistake(
  {
    id: 'list-in-a-matcher',
    files: { [settings]: matcherOf('write_file, replace') },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Write "^(write_file|replace)$".');
  },
);

mistake(
  {
    id: 'negated-matcher',
    files: { [settings]: matcherOf('!read_file') },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Remove the matcher, and end the hook with exit code 0 if the tool is read_file.');
  },
);

mistake(
  {
    id: 'value-of-another-agent',
    files: { [settings]: hooksOf('"SessionStart": [{ "matcher": "compact", "hooks": [{ "command": "true" }] }]') },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:35 hooks.SessionStart[0].matcher: `);
    expect(text).toContain('Write "matcher": "compress".');
  },
);

mistake(
  {
    id: 'command-by-another-name',
    files: { [settings]: hooksOf('"BeforeTool": [{ "hooks": [{ "cmd": "exit 2" }] }]') },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:4:`);
    expect(text).toContain('Rename "cmd" to "command".');
  },
);

mistake(
  {
    id: 'type-of-another-agent',
    files: { [settings]: hooksOf('"BeforeTool": [{ "hooks": [{ "type": "http", "url": "http://localhost" }] }]') },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:4:`);
    expect(text).toContain('Hooks of this format are commands: write "type": "command" and a "command".');
  },
);

mistake(
  {
    id: 'no-such-tool',
    files: { [settings]: matcherOf('Bash') },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Write "run_shell_command".');
  },
);

mistake(
  {
    id: 'tool-in-other-letters',
    files: { [settings]: matcherOf('Run_Shell_Command') },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Write "run_shell_command".');
  },
);

mistake(
  {
    id: 'part-of-a-tool-name',
    files: { [settings]: matcherOf('read') },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:33 hooks.BeforeTool[0].matcher: `);
    expect(text).toContain('Write "^read$" to match exactly that name.');
  },
);

mistake(
  {
    id: 'matcher-where-nothing-matches',
    files: { [settings]: hooksOf('"BeforeAgent": [{ "matcher": "deploy", "hooks": [{ "command": "true" }] }]') },
    event: 'BeforeAgent',
    input: { prompt: 'deploy' },
  },
  async ({ validate, explain }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:34 hooks.BeforeAgent[0].matcher: `);
    expect(text).toContain('Remove the matcher, or decide inside the hook.');
    expect((await explain()).text).toContain('BeforeAgent has nothing to match, so its matcher "deploy" is ignored');
  },
);

mistake(
  {
    id: 'hook-without-group',
    files: { [settings]: hooksOf('"BeforeTool": [{ "command": "exit 2" }]') },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:4:20 hooks.BeforeTool[0]: `);
    expect(text).toContain('Write { "hooks": [ { "command": "exit 2" } ] }.');
  },
);

mistake(
  {
    id: 'wrong-json-types',
    files: { [settings]: settingsWith([{ command: 'exit 2', timeout: '5s' }]) },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:5:37 `);
    expect(text).toContain('Write 5000.');
  },
);

mistake(
  {
    id: 'misspelt-field',
    files: { [settings]: settingsWith([{ command: 'exit 2', timeuot: 5000 }]) },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:5:37 hooks.BeforeTool[0].hooks[0].timeuot: `);
    expect(text).toContain('Did you mean "timeout"?');
  },
);

mistake(
  {
    id: 'broken-json',
    files: { [settings]: '{\n  "tools": { "enableHooks": true }\n  "hooks": {}\n}\n' },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:3:3 `);
    expect(text).toContain('Write a comma at the end of line 2.');
  },
);

mistake(
  {
    id: 'duplicate-key',
    files: {
      [settings]: hooksOf(
        '"BeforeTool": [{ "hooks": [{ "command": "exit 2" }] }],',
        '"BeforeTool": [{ "hooks": [{ "command": "true" }] }]',
      ),
    },
  },
  async ({ validate }) => {
    const { status, text } = await validate();
    expect(status).toBe(1);
    expect(text).toContain(`${settings}:5:5 `);
    expect(text).toContain('Merge them into one.');
  },
);

mistake(
  {
    id: 'file-at-the-wrong-place',
    files: { '.llxprt/hooks.json': settingsWith([{ command: 'exit 2' }]) },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain('.llxprt/hooks.json This file is not read');
    expect(text).toMatch(/read from \S*\.llxprt\/settings\.json\. Move the hooks there\./);
  },
);

mistake(
  {
    id: 'claude-hooks-in-hooks-json',
    files: { 'hooks.json': { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } } },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text.match(/This file is not read/g)).toHaveLength(1);
    expect(text).toMatch(/read from \S*\.claude\/settings\.json\. Move the hooks there\./);
  },
);

mistake(
  {
    id: 'no-switch',
    files: { [settings]: '{\n  "hooks": {\n    "BeforeTool": [{ "hooks": [{ "command": "exit 2" }] }]\n  }\n}\n' },
  },
  async (scene) => {
    const { text, stderr } = await scene.validate();
    expect(text).toContain(`${settings}:2:12 hooks: 1 hook is switched off.`);
    expect(text).toContain('Write "tools": { "enableHooks": true } next to "hooks".');
    expect(stderr).toBe('tenterhook: note: 1 hook is switched off.\n');
    const { diagnostics } = JSON.parse((await scene.validate('--json')).stdout);
    expect(diagnostics).toMatchObject([
      { code: 'hooks_off', severity: 'warning', line: 2, remedy: expect.stringContaining('enableHooks') },
    ]);
  },
);

mistake(
  {
    id: 'switched-off-in-claude-settings',
    files: {
      [ofClaude]: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] } },
      '.claude/settings.local.json': '{\n  "disableAllHooks": true\n}\n',
    },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain('.claude/settings.local.json:2:22 disableAllHooks: 1 hook is switched off.');
    expect(text).toContain('Remove the setting there.');
  },
);

mistake(
  {
    id: 'disabled-in-another-file',
    files: {
      [settings]: '{\n  "hooks": {\n    "BeforeTool": [{ "hooks": [{ "command": "exit 2" }] }]\n  }\n}\n',
      '~/.llxprt/settings.json': '{\n  "tools": {\n    "enableHooks": false\n  }\n}\n',
    },
  },
  async ({ validate, explain, home }) => {
    const { text } = await validate();
    expect(text).toContain(`${home}/.llxprt/settings.json:3:20 tools.enableHooks: `);
    expect(text).toContain('Write true there. No setting of a lower level can switch the hooks on.');
    expect((await explain()).text).toContain('Write true there.');
  },
);

mistake(
  {
    id: 'disabled-by-name',
    files: {
      [settings]:
        '{\n  "tools": { "enableHooks": true },\n  "hooksConfig": {\n    "disabled": ["guard"]\n  },\n  "hooks": { "BeforeTool": [{ "hooks": [{ "name": "guard", "command": "exit 2" }] }] }\n}\n',
    },
  },
  async ({ validate, explain }) => {
    for (const { text } of [await validate(), await explain()]) {
      expect(text).toContain(`${settings}:4:18 hooksConfig.disabled[0]: The list names "guard"`);
      expect(text).toContain('To run the hook, remove the entry.');
    }
  },
);

mistake(
  {
    id: 'misspelt-in-the-list',
    files: {
      [settings]:
        '{\n  "tools": { "enableHooks": true },\n  "hooksConfig": {\n    "disabled": ["gard"]\n  },\n  "hooks": { "BeforeTool": [{ "hooks": [{ "name": "guard", "command": "exit 2" }] }] }\n}\n',
    },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:4:18 hooksConfig.disabled[0]: `);
    expect(text).toContain('Did you mean "guard"?');
  },
);

mistake(
  {
    id: 'twice-in-two-files',
    files: {
      [settings]: settingsWith([{ name: 'guard', command: 'exit 2' }]),
      '~/.llxprt/settings.json': settingsWith([{ name: 'guard', command: 'exit 2' }]),
    },
  },
  async ({ validate, home }) => {
    const { text } = await validate();
    expect(text).toContain(`${home}/.llxprt/settings.json:5:7 `);
    expect(text).toContain(
      `The same hook is in ${settings}:5. Only that copy runs. It has the settings of this copy, whose level is higher.`,
    );
    expect(text).toContain('Remove one of them');
  },
);

mistake(
  {
    id: 'variable-without-quotes',
    project: 'my app',
    files: { [settings]: commandOf('$LLXPRT_PROJECT_DIR/hooks/guard.sh'), 'hooks/guard.sh': '#!/bin/sh\n' },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(`${settings}:5:33 hooks.BeforeTool[0].hooks[0].command: `);
    expect(text).toContain('Write the variable in quotes: \\"$LLXPRT_PROJECT_DIR\\".');
  },
);

// A problem of a script is reported at the place of its hook.

const atHook = `${settings}:5:7 hooks.BeforeTool[0].hooks[0]: `;

mistake(
  {
    id: 'script-does-not-exist',
    files: { [settings]: commandOf('./hooks/gaurd.sh'), 'hooks/guard.sh': '#!/bin/sh\n' },
  },
  async ({ validate, explain }) => {
    for (const { text } of [await validate(), await explain()]) {
      expect(text).toContain(atHook);
      expect(text).toContain('Did you mean "hooks/guard.sh"?');
    }
  },
);

mistake(
  {
    id: 'script-beside-the-settings',
    files: { [settings]: commandOf('./guard.sh'), '.llxprt/guard.sh': '#!/bin/sh\n' },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(atHook);
    expect(text).toContain(`Did you mean ".llxprt/guard.sh"? Write "\\"$LLXPRT_PROJECT_DIR\\"/.llxprt/guard.sh".`);
  },
);

mistake(
  {
    id: 'script-not-executable',
    files: { [settings]: commandOf('"$LLXPRT_PROJECT_DIR"/guard.sh'), 'guard.sh': '#!/bin/sh\n' },
    modes: { 'guard.sh': 0o644 },
  },
  async ({ validate }) => {
    const { text, status } = await validate();
    expect(status).toBe(0);
    expect(text).toContain(atHook);
    expect(text).toContain(`Make it executable: chmod +x guard.sh`);
  },
);

mistake(
  {
    id: 'script-with-cr-lf',
    files: { [settings]: commandOf('./guard.sh'), 'guard.sh': '#!/bin/sh\r\nexit 2\r\n' },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(atHook);
    expect(text).toContain(`Convert it: sed -i 's/\\r$//' guard.sh`);
  },
);

mistake(
  {
    id: 'script-without-its-interpreter',
    files: { [settings]: commandOf('./guard.sh'), 'guard.sh': '#!/usr/bin/env python9\n' },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(atHook);
    expect(text).toContain('Install python9, or add its folder to PATH.');
  },
);

mistake(
  {
    id: 'directory-as-a-script',
    files: { [settings]: commandOf('./hooks'), 'hooks/guard.sh': '#!/bin/sh\n' },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(atHook);
    expect(text).toContain('Write the path of a script in it.');
  },
);

mistake(
  {
    id: 'home-in-quotes',
    files: { [settings]: commandOf('"~/guard.sh"'), '~/guard.sh': '#!/bin/sh\n' },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(atHook);
    expect(text).toContain('Write "$HOME" in its place: "\\"$HOME/guard.sh\\"".');
  },
);

mistake(
  {
    id: 'path-of-windows',
    files: { [settings]: commandOf('.llxprt\\hooks\\guard.sh'), '.llxprt/hooks/guard.sh': '#!/bin/sh\n' },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(atHook);
    expect(text).toContain('Write slashes: ".llxprt/hooks/guard.sh".');
  },
);

mistake(
  {
    id: 'blank-without-quotes',
    files: { [settings]: commandOf('./my hooks/guard.sh'), 'my hooks/guard.sh': '#!/bin/sh\n' },
  },
  async ({ validate }) => {
    const { text } = await validate();
    expect(text).toContain(atHook);
    expect(text).toContain('Write it in quotes: "\\"./my hooks/guard.sh\\"".');
  },
);
