import { writeFileSync } from 'node:fs';
import { testWithPrograms } from '../../support/program.js';
import { callTool, guard, statesIn, withRepository } from '../repository.js';
import { runOnPty } from './pty.js';

const project = 'project/.claude/settings.json';

testWithPrograms(['python3'], 'case 2: a hook that was accepted on a real terminal runs', () =>
  withRepository(async (places, discover) => {
    places.write('project/guard.sh', '#!/bin/sh\ncat > /dev/null\necho guarded >&2\nexit 2\n', 0o755);
    places.write(project, guard('./guard.sh'));
    expect((await runOnPty([], ['v guard.sh', 'y'], places)).shown).toContain('3 │ echo guarded >&2\n');
    await discover(async (scene) => expect(await callTool(scene)).toEqual({ kind: 'deny', reason: 'guarded' }));
    writeFileSync(places.at('project/guard.sh'), '#!/bin/sh\nexit 0\n');
    expect((await runOnPty([], ['d', 'n'], places)).shown).toMatch(/- echo guarded >&2\n[\s\S]*0 trusted, 1 denied/);
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['denied']));
  }),
);
