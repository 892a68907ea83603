import { powershellCommand } from '../../../src/shared/settings/powershell.js';

const pwsh = 'C:\\Program Files\\PowerShell\\7\\pwsh.exe';
const on = (platform: string, environment: Readonly<Record<string, string>> = {}, existing: readonly string[] = []) =>
  powershellCommand('Get-Date', {
    platform,
    environment,
    files: { isFile: (path) => existing.includes(path), isExecutable: () => false, head: () => undefined },
  });
const args = ['-NoProfile', '-NonInteractive', '-Command', 'Get-Date'];

test('on Linux and macOS, pwsh is found on PATH when the hook starts', () => {
  expect(on('linux')).toEqual({ kind: 'program', file: 'pwsh', args });
});

test('on Windows, pwsh has an absolute path, so that a program of the project is not started', () => {
  const Path = 'C:\\Windows;C:\\Program Files\\PowerShell\\7\\';
  expect(on('win32', { Path }, [pwsh])).toEqual({ kind: 'program', file: pwsh, args });
  expect(on('win32', { PATH: Path }, [pwsh])).toEqual({ kind: 'program', file: pwsh, args });
});

test('on Windows, relative folders of PATH are not searched, and without pwsh the text runs in the shell', () => {
  const shell = { kind: 'shell', text: 'Get-Date' };
  expect(on('win32', { Path: '.;bin;;C:\\Windows' }, ['.\\pwsh.exe', 'bin\\pwsh.exe', '\\pwsh.exe'])).toEqual(shell);
  expect(on('win32')).toEqual(shell);
});
