import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOwnerCheck } from '../../src/policy/owner-check.js';
import { findTrustedOwners } from '../../src/policy/owners.js';
import { ReachProject } from '../../src/reach/files/project.js';
import { findReach } from '../../src/reach/find-reach.js';
import { TestProject, textsOf } from './project.js';

const projects: TestProject[] = [];
const projectWith = (files: Record<string, string>) => {
  const project = new TestProject(files);
  projects.push(project);
  return project;
};

afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

const guard = '.claude/hooks/guard.sh';
const commandOf = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh';

test('case 5: one byte of a script changes: another pin, and the look notices it; changed back, the pin is that of before', () => {
  const project = projectWith({ [guard]: '#!/bin/sh\nexit 0\n' });
  const before = project.pin(commandOf);
  const found = project.find(commandOf);
  expect(found.reach.open).toEqual([]);
  expect(found.look()).toBe('same');
  project.write(guard, '#!/bin/sh\nexit 1\n');
  expect(found.look()).toBe('changed');
  expect(project.pin(commandOf)).not.toBe(before);
  project.write(guard, '#!/bin/sh\nexit 0\n');
  expect(found.look()).toBe('same');
  expect(project.pin(commandOf)).toBe(before);
});

test('case 6: the x bit, the target of a link, and a file that a link leads to are part of the pin', () => {
  const project = projectWith({
    [guard]: '#!/bin/sh\n',
    'tools/a.sh': '#!/bin/sh\n',
    'tools/b.sh': '#!/bin/sh\n',
    'bin/run': 'link:../tools/a.sh',
  });
  const pins = new Set([project.pin(commandOf)]);
  chmodSync(project.path(guard), 0o644);
  pins.add(project.pin(commandOf));
  expect(pins.size).toBe(2);

  const linked = new Set([project.pin('bin/run')]);
  expect(project.entries('bin/run')).toEqual(['folder bin', 'link bin/run', 'folder tools', 'file tools/a.sh']);
  const found = project.find('bin/run');
  project.write('tools/a.sh', '#!/bin/sh\nexit 2\n');
  expect(found.look()).toBe('changed');
  linked.add(project.pin('bin/run'));
  unlinkSync(project.path('bin/run'));
  symlinkSync('../tools/b.sh', project.path('bin/run'));
  linked.add(project.pin('bin/run'));
  expect(linked.size).toBe(3);
});

test('case 6: a folder on the way that is a link is an entry', () => {
  const project = projectWith({ 'real/hooks/guard.sh': '#!/bin/sh\n', '.claude': 'link:real' });
  expect(project.entries(commandOf)).toEqual(['link .claude', 'folder real/hooks', 'file real/hooks/guard.sh']);
});

test('case 7: json.py that appears beside a guard of Python, or beside python3 -c, is another pin', () => {
  const project = projectWith({ '.claude/hooks/guard.py': 'import json\nprint(json)\n', 'src/app.py': '' });
  const script = 'python3 "$CLAUDE_PROJECT_DIR/.claude/hooks/guard.py"';
  const inline = `python3 -c 'import json; print(1)'`;
  const before = { script: project.pin(script), inline: project.pin(inline) };
  const found = { script: project.find(script), inline: project.find(inline) };
  expect(found.script.reach.open).toEqual([]);
  expect(found.inline.reach).toMatchObject({ open: [], dependsOnDirectory: true });
  expect(project.entries(inline)).toEqual(['absent json', 'absent json.py']);

  project.write('.claude/hooks/json.py', 'print("mine")');
  expect(project.pin(script)).not.toBe(before.script);
  expect(found.script.look()).toBe('changed');
  expect(found.inline.look()).toBe('same');

  project.write('json.py', 'print("mine")');
  expect(project.pin(inline)).not.toBe(before.inline);
  expect(found.inline.look()).toBe('changed');
});

// json imports re and codecs itself, and a compiled module is searched before json.py.
test.each(['re.py', '_json.py', '_strptime/__init__.py', 'json.cpython-312-x86_64-linux-gnu.so', 'encodings/__init__.py'])(
  'case 7: %s beside python3 -c is another pin',
  (name) => {
    const project = projectWith({ 'encodings/readme.md': '' });
    const inline = `python3 -c 'import json'`;
    const [pin, found] = [project.pin(inline), project.find(inline)];
    project.write(name, '');
    expect(project.pin(inline)).not.toBe(pin);
    expect(found.look()).toBe('changed');
  },
);

test('case 7: a private module of the library that appears beside a guard is another pin, and any other new file is not', () => {
  const project = projectWith({ 'guard.py': 'import json, sys\nsys.exit(2)\n', 'plain.py': 'print(1)\n', 'setup.py': '' });
  for (const command of ['python3 guard.py', 'python3 plain.py', "python3 -c 'print(1)'"]) {
    const [pin, found] = [project.pin(command), project.find(command)];
    expect(project.entries(command)).not.toContain('file setup.py');
    project.write('conftest.py', '');
    expect(found.look()).toBe('same');
    project.write('_json.py', 'import os\nos._exit(0)\n');
    expect(found.look()).toBe('changed');
    expect(project.pin(command)).not.toBe(pin);
    rmSync(project.path('_json.py'));
  }
});

test('case 7: with a package that is not in the project, every module beside the program is part of the pin', () => {
  const project = projectWith({ 'guard.py': 'import requests\n', 'urllib3.py': '' });
  for (const command of ['python3 guard.py', "python3 -c 'import requests'"]) {
    expect(project.entries(command)).toContain('file urllib3.py');
    const found = project.find(command);
    project.write('idna/__init__.py', '');
    expect(found.look()).toBe('changed');
    rmSync(project.path('idna'), { recursive: true });
  }
});

test.each([
  '. "$(dirname "$0")"/lib/x.sh',
  `source "$(dirname -- "$${'{BASH_SOURCE[0]}'}")/lib/x.sh"`,
  `. "$${'{BASH_SOURCE%/*}'}/lib/x.sh"`,
  'DIR="$(cd "$(dirname "$0")" && pwd)"\n. "$DIR/lib/x.sh"',
  `DIR=$(cd -- "$(dirname -- "$${'{BASH_SOURCE[0]}'}")" && pwd -P)\nLIB=$DIR/lib\nsource "$${'{LIB}'}/x.sh"`,
  '. ./lib/x.sh',
])('case 8: a library that is sourced by %j is another pin if it changes', (line) => {
  const project = projectWith({ 'guard.sh': `#!/bin/bash\n${line}\ncheck\n`, 'lib/x.sh': '. ./deep/y.sh\n', 'deep/y.sh': 'true\n' });
  const found = project.find('./guard.sh');
  expect(found.reach.entries.map(({ path }) => path)).toEqual(expect.arrayContaining(['guard.sh', 'lib', 'lib/x.sh', 'deep/y.sh']));
  for (const file of ['deep/y.sh', 'lib/x.sh']) {
    const before = project.pin('./guard.sh');
    project.write(file, 'false\n');
    expect(project.pin('./guard.sh')).not.toBe(before);
    expect(found.look()).toBe('changed');
  }
});

test('case 9: npm run lint is open, with the reason, and reaches package.json', () => {
  const project = projectWith({ 'package.json': '{"scripts":{"lint":"eslint ."}}', 'package-lock.json': '{}' });
  const { reach } = project.find('npm run lint');
  expect(textsOf(reach.open)).toEqual(['npm runs scripts of package.json and packages of node_modules.']);
  expect(project.entries('npm run lint')).toEqual(['file package-lock.json', 'file package.json']);
  const before = project.pin('npm run lint');
  project.write('package.json', '{"scripts":{"lint":"curl evil.test"}}');
  expect(project.pin('npm run lint')).not.toBe(before);
});

test.each([
  '"$CLAUDE_PROJECT_DIR"/x.sh',
  './x.sh',
  '$CLAUDE_PROJECT_DIR/x.sh',
  `"$${'{CLAUDE_PROJECT_DIR}'}/x.sh"`,
  'cd "$CLAUDE_PROJECT_DIR" && exec ./x.sh',
])('case 10: %s reaches the script', (command) => {
  const project = projectWith({ 'x.sh': '#!/bin/sh\n' });
  expect(project.entries(command)).toEqual(['file x.sh']);
  expect(project.find(command).reach.open).toEqual([]);
});

test('case 10: so do a program with args, and a file that is the program', () => {
  const project = projectWith({ 'x.sh': '#!/bin/sh\n' });
  expect(project.entries({ kind: 'program', file: `$${'{CLAUDE_PROJECT_DIR}'}/x.sh`, args: ['a b'] })).toEqual(['file x.sh']);
  expect(project.entries({ kind: 'program', file: '/bin/bash', args: [project.path('x.sh')] })).toEqual(['file x.sh']);
  expect(project.entries({ kind: 'program', file: 'bash', args: ['-c', './x.sh "$1"', 'x'] })).toEqual(['file x.sh']);
});

const onLinux = process.platform === 'linux' ? test : test.skip;

describe('case 23', () => {
  test('a path that leads out of the project is not reached', () => {
    const project = projectWith({ 'out.sh': 'link:/bin/sh', passwd: 'link:../../../../../../etc/passwd' });
    expect(project.entries('sh ../../../../../../../etc/passwd')).toEqual([]);
    expect(project.entries('./out.sh')).toEqual(['link out.sh']);
    expect(project.entries('cat passwd')).toEqual(['link passwd']);
  });

  onLinux('a way through /proc leads elsewhere for the hook than for this process, so it is open', () => {
    const project = projectWith({ 'x.sh': '#!/bin/sh\n', here: 'link:/proc/self/cwd' });
    for (const command of ['sh /proc/self/cwd/x.sh', '. /proc/self/cwd/x.sh', './here/x.sh', 'cat here/x.sh'])
      expect(textsOf(project.find(command).reach.open)).toContainEqual(expect.stringContaining('/proc/self'));
  });

  test.each(['cat /proc/self/environ', '. /proc/self/environ', 'bash /dev/stdin', 'sh environ', 'sh'])('%s is open', (command) => {
    const project = projectWith({ environ: 'link:/proc/self/environ' });
    expect(project.find(command).reach.open).not.toEqual([]);
  });

  test('a link to itself, and links in a circle, end', () => {
    const project = projectWith({
      loop: 'link:loop',
      'a/x': 'link:../b/x',
      'b/x': 'link:../a/x',
      'hooks/up': 'link:..',
      'hooks/x.sh': '#!/bin/sh\n',
    });
    for (const command of ['./loop', 'sh a/x']) {
      expect(textsOf(project.find(command).reach.open)).toEqual([expect.stringContaining('leads to itself')]);
    }
    expect(textsOf(project.find('hooks/x.sh').reach.open)).toEqual([
      'The link "hooks/up" leads to a folder above it, so its content has no end.',
    ]);
  });

  test('a folder of too many files, too many bytes or too many levels is open, not listed', () => {
    const project = projectWith({
      'many/x.sh': '#!/bin/sh\n',
      'large/x.sh': '#!/bin/sh\n',
      'deep/x.sh': '#!/bin/sh\n',
      [`deep/${'d/'.repeat(9)}y`]: '',
    });
    for (let index = 0; index < 501; index += 1) writeFileSync(project.path(`many/${index}`), '');
    writeFileSync(project.path('large/data'), Buffer.alloc(4 * 1024 * 1024 + 1));
    for (const folder of ['many', 'large', 'deep']) {
      const { reach } = project.find(`${folder}/x.sh`);
      expect(textsOf(reach.open)).toEqual([`"${folder}" has more than 500 files, 4194304 bytes or 8 levels of folders.`]);
      expect(reach.entries.map(({ path }) => path)).toEqual([`${folder}/x.sh`]);
    }
  });

  test('a file of more than 4 MiB is open, and its content is not read', () => {
    const project = projectWith({});
    writeFileSync(project.path('large.sh'), Buffer.alloc(4 * 1024 * 1024 + 1));
    const { reach } = project.find('./large.sh');
    expect(reach.entries).toEqual([{ path: 'large.sh', kind: 'file' }]);
    expect(reach.open).toHaveLength(1);
  });

  test('the hooks of one project have a budget together', () => {
    const project = projectWith(Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`h${index}.sh`, '#!/bin/sh\n'])));
    const reached = new ReachProject({ directory: project.directory, limits: { projectFiles: 5 } });
    const reaches = reached.pass(() => [0, 1, 2, 3, 4, 5, 0].map((index) => project.find(`./h${index}.sh`, { project: reached }).reach));
    expect(reaches.map(({ open }) => textsOf(open))).toEqual([[], [], [], [], [], ['The hooks of the project use more than 5 files.'], []]);
    expect(reaches[5]?.entries).toEqual([{ path: 'h5.sh', kind: 'file', executable: true }]);
  });

  const pipes = process.platform === 'win32' ? test.skip : test;
  pipes('a pipe is refused, and nothing waits for its other end', () => {
    const project = projectWith({ 'hooks/x.sh': '#!/bin/sh\n' });
    spawnSync('mkfifo', [project.path('pipe'), project.path('hooks/pipe'), join(project.base, 'pipe')]);
    for (const command of ['sh pipe', 'cat < pipe', 'hooks/x.sh', '. ../pipe']) {
      expect(project.find(command).reach.refusals).toEqual([expect.objectContaining({ code: 'not_regular' })]);
    }
  });
});

describe('owners', () => {
  const checked = (project: TestProject, command: string) => {
    const reached = new ReachProject({
      directory: project.directory,
      createOwnerCheck: (directory) => createOwnerCheck(directory, findTrustedOwners()),
    });
    return project
      .find(command, { project: reached })
      .reach.refusals.map(({ code, path }) => `${code} ${path.slice(project.base.length + 1)}`);
  };
  const modes = process.platform === 'win32' ? test.skip : test;

  modes('a script, a file of its folder, and a file outside of the project must not be writable for others', () => {
    const project = projectWith({ [guard]: '#!/bin/sh\n', '.claude/hooks/lib.sh': '', 'linked.sh': 'link:../outside.sh' });
    writeFileSync(join(project.base, 'outside.sh'), '');
    expect(checked(project, commandOf)).toEqual([]);
    expect(checked(project, 'sh linked.sh')).toEqual([]);
    chmodSync(project.path('.claude/hooks/lib.sh'), 0o666);
    chmodSync(join(project.base, 'outside.sh'), 0o666);
    expect(checked(project, commandOf)).toEqual(['writable_by_others project/.claude/hooks/lib.sh']);
    for (const command of ['sh ../outside.sh', 'sh linked.sh'])
      expect(checked(project, command)).toContain('writable_by_others outside.sh');
    chmodSync(project.path('.claude'), 0o777);
    expect(checked(project, commandOf)).toContain('writable_by_others project/.claude');
  });

  const asRoot = process.geteuid?.() === 0 ? test : test.skip;
  asRoot('a script of another user is refused (needs root)', () => {
    const project = projectWith({ [guard]: '#!/bin/sh\n' });
    chownSync(project.path(guard), 12_345, 12_345);
    expect(checked(project, commandOf)).toEqual(['foreign_owner project/.claude/hooks/guard.sh']);
  });
});

test('a folder that is replaced by another with the same content is the same', () => {
  const project = projectWith({ [guard]: '#!/bin/sh\n' });
  const found = project.find(commandOf);
  mkdirSync(project.path('other'));
  writeFileSync(project.path('other/guard.sh'), '#!/bin/sh\n', { mode: 0o755 });
  rmSync(project.path('.claude/hooks'), { recursive: true });
  renameSync(project.path('other'), join(project.directory, '.claude/hooks'));
  expect(found.look()).toBe('same');
});

onLinux('a project in /dev/shm is like any other', () => {
  const base = mkdtempSync('/dev/shm/reach-');
  try {
    writeFileSync(join(base, 'x.sh'), '#!/bin/sh\n. ./lib.sh\n', { mode: 0o755 });
    const command = { kind: 'shell', text: './x.sh' } as const;
    const { reach } = findReach({ command, cwd: base, variables: {} }, new ReachProject({ directory: base }));
    expect(reach.entries.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['absent lib.sh', 'file x.sh']);
  } finally {
    rmSync(base, { recursive: true });
  }
});
