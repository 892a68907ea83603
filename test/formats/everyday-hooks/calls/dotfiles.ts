import type { Collection } from '../collection.js';
import { afterShell, before, beforeShell } from './tools.js';

/** A person's own settings: logs, a guard, notifiers for programs that are not installed, and notes for the model. */
export const dotfiles: Collection = {
  folder: 'dotfiles',
  dialect: 'claude-code',
  calls: [
    {
      title: 'a harmless command is logged',
      ...beforeShell('ls -l'),
      expected: { ran: 3, files: { 'home/.claude/logs/bash-history.txt': 'ls -l\n' } },
    },
    { title: 'a matcher * has every tool', ...before('read_file', { path: 'a.txt' }), expected: { ran: 1 } },
    {
      title: 'exit code 2 of a script without the executable bit denies with its stderr',
      ...beforeShell('cd /tmp; rm -rf build'),
      expected: {
        ran: 3,
        decision: 'deny',
        reason: '• use trash, not rm -rf',
        files: { 'home/.claude/logs/bash-history.txt': 'ls -l\ncd /tmp; rm -rf build\n' },
      },
    },
    {
      title: 'an async hook reads what a command printed',
      ...afterShell('echo hello', 'hello'),
      expected: { ran: 1, files: { 'home/.claude/logs/audit.txt': 'Bash 5\n' } },
    },
    {
      title: 'notifiers without their program are quiet',
      event: 'Notification',
      input: { notification_type: 'ToolPermission', message: 'May I?', details: {} },
      expected: { ran: 2 },
    },
    {
      title: 'a matcher names the type of a notification',
      event: 'Notification',
      input: { notification_type: 'idle_prompt', message: 'Waiting.', details: {} },
      expected: { ran: 1 },
    },
    {
      title: 'a process in the background does not hold up the end of a turn',
      event: 'AfterAgent',
      input: { prompt: 'x', prompt_response: 'y', stop_hook_active: false },
      expected: { ran: 1, warnings: ['left_processes'] },
    },
    {
      title: 'text of SessionStart is context; the process in the background finds its file',
      event: 'SessionStart',
      input: { source: 'startup' },
      given: { 'home/.claude/report.txt': 'ok' },
      expected: { ran: 1, context: '- pnpm, never npm\n- British spelling', files: { 'home/.claude/logs/report.txt': 'ok' } },
    },
    {
      title: 'text of UserPromptSubmit is context',
      event: 'BeforeAgent',
      input: { prompt: 'rename it -p' },
      expected: { ran: 1, context: 'Make a plan first. Do not edit files yet.' },
    },
    { title: 'a prompt without the suffix adds nothing', event: 'BeforeAgent', input: { prompt: 'rename it' }, expected: { ran: 1 } },
    {
      title: 'the reason of an end under the name of Claude Code',
      event: 'SessionEnd',
      input: { reason: 'exit' },
      expected: { ran: 1, files: { 'home/.claude/sessions.txt': 's1 other\n' } },
    },
    {
      title: 'Python in a line of the settings',
      event: 'PreCompress',
      input: { trigger: 'auto' },
      expected: { ran: 1, files: { 'home/compacted.txt': 'auto: ' } },
    },
  ],
};
