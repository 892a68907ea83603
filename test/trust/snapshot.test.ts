import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { withEnvironment } from '../support/environment.js';
import { acceptAll, callTool, guard, withRepository } from './repository.js';

const onUnix = process.platform === 'win32' ? test.skip : test;
const settings = 'project/.claude/settings.json';
const trust = { mode: 'store', run: 'snapshot' } as const;

onUnix('with "snapshot" a script runs from a private copy, with its library and in its working directory', () =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('"$CLAUDE_PROJECT_DIR"/hooks/guard.sh'));
    places.write('project/hooks/guard.sh', '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nsay "$0|$PWD|$CLAUDE_PROJECT_DIR"\n', 0o755);
    places.write('project/hooks/lib.sh', 'say() { echo "$1" >&2; exit 2; }\n');
    const copy = await discover(
      async (scene) => {
        await acceptAll(scene);
        const { kind, reason = '' } = await callTool(scene);
        expect(kind).toBe('deny');
        const [script = '', ...directories] = reason.split('|');
        expect(directories).toEqual([places.project, places.project]);
        expect(script).not.toContain(places.project);
        expect(existsSync(script)).toBe(true);
        // The next run uses the same copy.
        expect((await callTool(scene)).reason).toBe(reason);
        places.write('project/hooks/lib.sh', 'say() { exit 0; }\n');
        expect((await callTool(scene)).kind).toBe('ask');
        return script;
      },
      { trust },
    );
    expect(existsSync(dirname(dirname(copy)))).toBe(false);
  }),
);

onUnix('a command that is more than one script runs from where it is', () =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('./guard.sh | cat >&2; exit 2'));
    places.write('project/guard.sh', '#!/bin/sh\necho "$0"\n', 0o755);
    await discover(
      async (scene) => {
        await acceptAll(scene);
        expect(await callTool(scene)).toEqual({ kind: 'deny', reason: './guard.sh' });
      },
      { trust },
    );
  }),
);

onUnix('if a copy cannot be written, the guard does not run and asks', () =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('./guard.sh'));
    places.write('project/guard.sh', '#!/bin/sh\ntouch ran\n', 0o755);
    await discover(
      async (scene) => {
        await acceptAll(scene);
        const { kind, reason } = await withEnvironment({ TMPDIR: places.at('nowhere') }, () => callTool(scene));
        expect(kind).toBe('ask');
        expect(reason).toMatch(/no private copy of its files could be written: .*nowhere/);
        expect(scene.read('ran')).toBeUndefined();
      },
      { trust },
    );
  }),
);
