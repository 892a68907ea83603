import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/sources.js';
import { acceptAll, withRepository } from '../repository.js';
import { openTerminal } from './terminal.js';

/** The blocks of output in the section of the page. */
const [, section = ''] = readFileSync(join(root, 'docs/trust.md'), 'utf8').split('## Accept hooks in a terminal\n');
const [asked = '', changed = ''] = [...(section.split('\n## ')[0] ?? '').matchAll(/```text\n([\s\S]*?)```/g)].map(([, text]) => text);

const settings = (command: string) => `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "${command}" }] }
    ]
  }
}
`;

test('the page shows what the terminal shows', () =>
  withRepository(async (places, discover) => {
    places.write('project/.claude/settings.json', settings('.hooks/guard.sh --strict'));
    const guard = 'grep -qf .hooks/words.txt && { echo "This is not allowed here." >&2; exit 2; }\nexit 0';
    places.write('project/.hooks/guard.sh', `#!/bin/sh\n${guard}\n`, 0o755);
    places.write('project/.hooks/words.txt', 'rm -rf\n');
    const shown = (text: string) =>
      text
        .replaceAll(places.project, '/srv/app')
        .replaceAll(/\d{4}-\d\d-\d\d/g, '2026-11-23')
        .replaceAll(/\d\d:\d\d UTC/g, '09:30 UTC');
    const terminal = openTerminal([], places, { columns: 100 });
    const question = await terminal.screen();
    expect(shown(`$ tenterhook trust\n${question}y\n${await terminal.answer('y')}`)).toBe(asked);
    await discover(acceptAll);
    places.write('project/.hooks/words.txt', 'rm -rf /usr\n');
    const again = openTerminal([], places, { columns: 100 });
    const second = await again.screen();
    const since = second.slice(second.indexOf('  since'));
    // Without the question that follows.
    const [diff = ''] = (await again.answer('d')).split('\n\nMay it run');
    expect(shown(`${since}d\n${diff}\n`)).toBe(changed);
  }));
