import { shellText } from '../../src/rig/hook-rig.js';

const program = { file: '/opt/my node', args: ["it's", '"two"\n$lines', ''] };

test('for bash and sh each word is one in single quotes', () => {
  expect(shellText(program, 'linux')).toBe(`'/opt/my node' 'it'\\''s' '"two"\n$lines' ''`);
});

test('for PowerShell quotes are doubled, double ones escaped, and the exit code is handed on', () => {
  expect(shellText(program, 'win32')).toBe(`& '/opt/my node' 'it''s' '\\"two\\"\n$lines' ''; exit $LASTEXITCODE`);
});
