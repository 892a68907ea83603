import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../support/fire-hooks.js';
import { formats } from '../support/formats.js';
import { runCli, spawnCli } from '../support/run-cli.js';
import { attack } from './attack.js';
import { withLevels } from './levels/places.js';

/** Clears a screen, reverses text, ends the line, and fills a line with what has no shape. */
const hostile = 'x\u001b[2J\u009b\u202e\u2066\r\n\u200b\u2028\u3164\u115f\u1160\uffa0\u034f\u{e0041}y';
// Written out, and not by the names of Unicode's lists, which what is tested uses.
const unseen =
  /\u034f|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u115f\u1160\u200b-\u200f\u2028-\u202e\u2066-\u2069\u3164\uffa0\u{e0000}-\u{e0fff}]/u;

attack(
  {
    id: 'usage-message-controls-terminal',
    attacker: 'the model, or the name of a directory',
    attempt: 'has control sequences and invisible characters in what a command receives: events, inputs, files, options, directories',
    result: 'a message about wrong usage is escaped and limited in length, and a line break in an argument does not begin a line',
  },
  async () => {
    const cwd = join(freshDirectory('usage'), hostile);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'a.json'), '{ "hooks": { "BeforeTool": [{ "hooks": [{ "command": 1 }] }] } }');
    const calls: readonly (readonly string[])[] = [
      [hostile],
      [`--${hostile}`],
      ['fire', hostile],
      ['fire', 'BeforeTool', hostile],
      ['fire', 'BeforeTool', `--${hostile}`],
      ['fire', 'BeforeTool', '--input', hostile],
      ['fire', 'BeforeTool', '--input', `@${hostile}`],
      ['fire', 'BeforeTool', '--input', `{"${hostile.replace(/[\r\n]/g, '')}":1}`],
      ['fire', 'BeforeTool', '--cwd', hostile],
      ['fire', 'BeforeTool', '--dialect', hostile],
      ['explain', hostile],
      ['explain', 'BeforeTool', '--tool', hostile],
      ['list', '--settings', hostile],
      ['list', '--settings', 'a.json'],
      ['list', '--extension', hostile],
      ['list', '--allow-private-address', hostile],
      ['list'],
      ['validate', hostile],
      ['validate', 'a.json'],
      ['validate', '--cwd', hostile],
      ['migrate', '--from', hostile, '--to', 'llxprt'],
      ['migrate', '--from', 'eca', '--to', 'llxprt', '--cwd', hostile],
      ['events', hostile],
      ['events', 'BeforeTool', '--dialect', hostile],
      ['init', '--dialect', hostile],
      ['init', '--cwd', hostile],
      ['init', '--cwd', join(cwd, '.')],
      ['init'],
      ['schema', hostile],
      ['completion', hostile],
    ];
    for (const call of calls) {
      for (const args of [call, [...call, '--json']]) {
        const { stdout, stderr } = await runCli(args, { cwd });
        const printed = `${stdout}${stderr}`;
        expect({ args, found: unseen.exec(printed)?.[0] }).toEqual({ args, found: undefined });
        expect({ args, lines: stderr.split('\n').filter((line) => line.startsWith('y')) }).toEqual({ args, lines: [] });
      }
    }
    const long = await runCli([`--${'x'.repeat(50_000)}`], { cwd });
    expect(long.status).toBe(64);
    expect(long.stderr.length).toBeLessThan(5_000);
  },
);

const password = 's3cretpw';

attack(
  {
    id: 'password-in-diagnostic',
    attacker: 'no attacker: a mistake in the URL of a hook, and a person who reads messages, logs or the bus',
    attempt: 'a message about the mistake shows the password, or the token of a header',
    result: 'messages show URLs without credentials and queries, and mask secrets in other values',
  },
  async () => {
    const urls = [
      ...['htps://u:', 'https:/u:', 'https:u:', '//u:', 'u:', 'https:\\\\u:', 'https://u@v:'].map(
        (start) => `${start}${password}@h.example`,
      ),
      ...[`https://u:${password}/x@h.example`, `https://u:a?${password}@h.example`, `https://u:a#${password}@h.example`],
      ...[
        `https://u:${password} x@h.example`,
        `https://u:"${password}@h.example`,
        `https://u:${password}@`,
        `https://h.example:${password}/x`,
      ],
      ...[`https://h.example /?token=${password}`, `https://u:${password}@h.example/ok`, `https://127.0.0.1:1/?key=${password}`],
    ];
    const request = { type: 'http', url: 'https://127.0.0.1:1/' };
    const hooks = [
      ...urls.map((url) => ({ type: 'http', url })),
      { type: 'http', url: [urls[0]] },
      { ...request, headers: { Authorization: `Bearer ${password}`, other: 1 } },
      { ...request, headers: `Authorization: Bearer ${password}` },
      { ...request, headers: [`X-Api-Key: ${password}`] },
      { ...request, allowedEnvVars: `TOKEN=${password}` },
    ];
    const settings = {
      allowedHttpHookUrls: [`https://u:${password}@h.example/*`, 'https://127.0.0.1:*/*'],
      hooks: { PreToolUse: [{ hooks }], [`https://u:${password}@h`]: [] },
    };
    const command = { hooks: { BeforeTool: [{ hooks: [{ command: 'true', env: [`API_KEY=${password}`] }] }] } };
    await withLevels(async (places, discover) => {
      for (const level of ['project', 'user'] as const) places.write(formats['claude-code'][level], settings);
      places.write(formats.llxprt.project, { tools: { enableHooks: true }, ...command });
      await discover(async ({ hooks: { bus, diagnostics, fire } }) => {
        const messages: unknown[] = [];
        for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const) {
          bus.subscribe(channel, (message) => messages.push(message));
        }
        const { outcomes } = await fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: {} });
        expect(outcomes.length).toBeGreaterThan(40);
        // The path of a diagnostic is that of the settings, whatever its keys are.
        const shown = [...diagnostics.map(({ message, remedy }) => ({ message, remedy })), outcomes, messages];
        expect(diagnostics.length).toBeGreaterThan(20);
        for (const one of shown) expect(JSON.stringify(one)).not.toContain(password);
      });
      delete (settings.hooks as Record<string, unknown>)[`https://u:${password}@h`];
      for (const level of ['project', 'user'] as const) places.write(formats['claude-code'][level], settings);
      const input = JSON.stringify({ tool_name: 'a', tool_input: {} });
      for (const args of [
        ['list'],
        ['validate'],
        ['explain', 'BeforeTool'],
        ['fire', 'BeforeTool', '--verbose', '--input', input],
        ['fire', 'BeforeTool', '--input', input],
        ['migrate', '--from', 'claude-code', '--to', 'gemini-cli'],
      ]) {
        for (const words of [args, [...args, '--json']].filter((words) => !(words.includes('--verbose') && words.includes('--json')))) {
          const { stdout, stderr } = await runCli(words, { cwd: places.project, home: places.home });
          expect(`${stdout}${stderr}`).not.toContain(password);
        }
      }
      const logged = spawnCli(['fire', 'BeforeTool', '--json', '--input', input], {
        cwd: places.project,
        home: places.home,
        env: { DEBUG: 'tenterhook:*' },
      });
      expect(logged.stderr).toContain('tenterhook:settings');
      expect(`${logged.stdout}${logged.stderr}`).not.toContain(password);
    });
  },
);
