import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const { withProgramsFirst } = (await import('./support/search-path.js' as string)) as { withProgramsFirst(path: string): string };

test('a directory whose python3 is a script is the last one in PATH, and the others keep their order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenterhook-path-'));
  try {
    const contents = { shims: '#!/bin/sh\nexec pyenv exec python3\n', programs: '\x7fELF', others: undefined };
    for (const [name, content] of Object.entries(contents)) {
      mkdirSync(join(folder, name));
      if (content !== undefined) writeFileSync(join(folder, name, 'python3'), content, { mode: 0o755 });
    }
    const pathOf = (...names: string[]) => names.map((name) => join(folder, name)).join(delimiter);
    expect(withProgramsFirst(pathOf('others', 'shims', 'programs', 'missing'))).toBe(pathOf('others', 'programs', 'missing', 'shims'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
