import { chmodSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import type { Places } from '../support/places.js';
import { acceptAll, callTool, denying, guard, statesIn, withRepository } from './repository.js';

const project = 'project/.claude/settings.json';
const script = 'project/.hooks/guard.sh';
const question = expect.stringContaining('Read what it does, and decide: tenterhook trust.');

/** A project with a guard in a script, which is trusted. Then something changes, and the next call shows the effect. */
function withTrustedGuard(
  command: string,
  prepare: (places: Places) => void,
  use: (places: Places, call: () => ReturnType<typeof callTool>, states: () => (string | undefined)[]) => Promise<void>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return withRepository(async (places, discover) => {
    places.write(project, guard(command, fields));
    prepare(places);
    await discover(async (scene) => {
      await acceptAll(scene);
      expect(await callTool(scene)).toEqual({ kind: 'deny', reason: 'guarded' });
      await use(
        places,
        () => callTool(scene),
        () => statesIn(scene),
      );
    });
  });
}

const guarded = (places: Places) => void places.write(script, denying('guarded'), 0o755);
const asks = (what: string) => ({
  kind: 'ask',
  reason: expect.stringMatching(new RegExp(`it was trusted on [0-9-]{10}, and .*${what}.* (?:has|have) changed since`)),
});

test('case 5: one byte of a script changes, and changes back', () =>
  withTrustedGuard('"$CLAUDE_PROJECT_DIR"/.hooks/guard.sh', guarded, async (places, call, states) => {
    const file = places.at(script);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('exit 2', 'exit 0'));
    expect(await call()).toEqual(asks('the file ".hooks/guard.sh"'));
    expect(states()).toEqual(['changed']);
    writeFileSync(file, before);
    expect(await call()).toEqual({ kind: 'deny', reason: 'guarded' });
    expect(states()).toEqual(['trusted']);
  }));

test('case 5: a file that is only touched is the same', () =>
  withTrustedGuard('./.hooks/guard.sh', guarded, async (places, call) => {
    utimesSync(places.at(script), new Date(), new Date());
    expect((await call()).kind).toBe('deny');
  }));

test('case 6: the executable bit', () =>
  withTrustedGuard('./.hooks/guard.sh', guarded, async (places, call) => {
    chmodSync(places.at(script), 0o644);
    expect(await call()).toEqual(asks('the file ".hooks/guard.sh"'));
  }));

test('case 6: the target of a link, and the file that a link leads to', () =>
  withTrustedGuard(
    './guard',
    (places) => {
      guarded(places);
      places.write('project/other/guard.sh', denying('other'), 0o755);
      symlinkSync('.hooks/guard.sh', places.at('project/guard'));
    },
    async (places, call) => {
      writeFileSync(places.at(script), denying('edited'));
      expect((await call()).kind).toBe('ask');
      writeFileSync(places.at(script), denying('guarded'));
      expect((await call()).kind).toBe('deny');
      rmSync(places.at('project/guard'));
      symlinkSync('other/guard.sh', places.at('project/guard'));
      expect(await call()).toMatchObject({ kind: 'ask', reason: question });
    },
  ));

test('case 7: a module appears beside a Python script', () =>
  withTrustedGuard(
    'python3 .hooks/guard.py',
    (places) =>
      void places.write(
        'project/.hooks/guard.py',
        "import json, sys\njson.load(sys.stdin)\nprint('guarded', file=sys.stderr)\nsys.exit(2)\n",
      ),
    async (places, call) => {
      places.write('project/.hooks/json.py', 'import os\nos._exit(0)\n');
      expect(await call()).toEqual(asks('the file ".hooks"'));
    },
  ));

test('case 7: a module appears where code on the command line looks for it', () =>
  withTrustedGuard(
    `python3 -c 'import json, sys; json.load(sys.stdin); print("guarded", file=sys.stderr); sys.exit(2)'`,
    () => {},
    async (places, call) => {
      places.write('project/json.py', 'import os\nos._exit(0)\n');
      expect(await call()).toEqual(asks('the file "json.py"'));
    },
  ));

test('case 8: a library that a script sources', () =>
  withTrustedGuard(
    './guard.sh',
    (places) => {
      places.write('project/guard.sh', '#!/bin/sh\n. "$(dirname "$0")"/lib/check.sh\n', 0o755);
      places.write('project/lib/check.sh', denying('guarded'));
    },
    async (places, call) => {
      places.write('project/lib/check.sh', 'exit 0\n');
      expect(await call()).toMatchObject({ kind: 'ask', reason: question });
    },
  ));

test.each<[string, string, string, string, string]>([
  ['a file that a test looks for', './guard.sh', '[ -f .skip ] && exit 0', '.skip', ''],
  ['a file that grep searches', './guard.sh', 'grep -qs all allow.txt && exit 0', 'allow.txt', 'all'],
])('%s appears and would switch a guard off', (_, command, line, file, content) =>
  withTrustedGuard(
    command,
    (places) => void places.write('project/guard.sh', denying('guarded').replace('cat > /dev/null', `cat > /dev/null\n${line}`), 0o755),
    async (places, call) => {
      places.write(`project/${file}`, content);
      expect(await call()).toEqual(asks(`the file "${file}"`));
    },
  ),
);

test('case 9: a runner is open, and its manifest counts', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('npm run --silent guard'));
    places.write('project/package.json', { scripts: { guard: 'exit 2' } });
    await discover(async (scene) => {
      const [request] = scene.hooks.trust.requests();
      expect(request?.open).toEqual([{ kind: 'loaded', text: expect.stringContaining('npm') }]);
      expect(request?.risks).toContain('It runs code that is not listed.');
      expect(request?.reach).toContainEqual(expect.objectContaining({ path: 'package.json', kind: 'file' }));
      await acceptAll(scene);
      expect(statesIn(scene)).toEqual(['trusted']);
      places.write('project/package.json', { scripts: { guard: 'exit 0' } });
      expect((await callTool(scene)).kind).toBe('ask');
    });
  }));

test.each([
  ['"$CLAUDE_PROJECT_DIR"/.hooks/guard.sh', {}],
  ['./.hooks/guard.sh', {}],
  [`\${CLAUDE_PROJECT_DIR}/.hooks/guard.sh`, { args: [] }],
])("case 10: a hook of the user that runs %s does not run before the project's script is trusted", (command, fields) =>
  withRepository(async (places, discover) => {
    places.write(script, `#!/bin/sh\ntouch "$CLAUDE_PROJECT_DIR/ran"\n${denying('guarded').slice('#!/bin/sh\n'.length)}`, 0o755);
    places.write('home/.claude/settings.json', guard(command, fields));
    await discover(async (scene) => {
      const found = await callTool(scene);
      expect(found).toMatchObject({
        kind: 'ask',
        reason: expect.stringContaining('it runs files of the project that are not trusted: ".hooks"'),
      });
      expect(scene.read('ran')).toBeUndefined();
      await acceptAll(scene);
      expect(await callTool(scene)).toEqual({ kind: 'deny', reason: 'guarded' });
    });
    places.write('home/.claude/settings.json', guard(command, { ...fields, onFailure: 'block' }));
    rmSync(places.at('state'), { recursive: true });
    await discover(async (scene) => expect((await callTool(scene)).kind).toBe('deny'));
  }),
);

test('case 10: a file of an action in the format of ECA', () =>
  withRepository(async (places, discover) => {
    places.write('project/guard.sh', denying('guarded'), 0o755);
    places.write('home/.config/eca/config.json', {
      hooks: { guard: { type: 'preToolCall', actions: [{ type: 'shell', file: 'guard.sh' }] } },
    });
    await discover(async (scene) => {
      expect((await callTool(scene)).kind).toBe('ask');
      await acceptAll(scene);
      expect(await callTool(scene)).toEqual({ kind: 'deny', reason: 'guarded' });
    });
  }));

test.each([
  ['fails open', {}, 'ask'],
  ['fails closed', { onFailure: 'block' }, 'deny'],
])("case 11: the model's own tool edits the script of a trusted guard that %s", (_, fields, kind) =>
  withTrustedGuard(
    './.hooks/guard.sh',
    guarded,
    async (places, call) => {
      writeFileSync(places.at(script), '#!/bin/sh\nexit 0\n');
      const found = await call();
      expect(found.kind).toBe(kind);
      expect(found.reason).toContain('.hooks');
    },
    fields,
  ),
);

test('case 11: the agent refuses the call where no user can be asked', () =>
  withRepository(async (places, discover) => {
    places.write(project, guard('./.hooks/guard.sh'));
    guarded(places);
    await discover(async (scene) => {
      await acceptAll(scene);
      writeFileSync(places.at(script), '#!/bin/sh\nexit 0\n');
      const call = { name: 'run_shell_command', input: { command: 'ls' }, execute: () => ({ llmContent: 'ran' }) };
      expect((await scene.hooks.agent().tool(call)).status).toBe('blocked');
      const granted = await scene.hooks.agent({ ask: async () => 'allow' as const }).tool(call);
      expect([granted.status, granted.reason]).toEqual(['executed', undefined]);
    });
  }));
