import { createPaint, plainPaint } from '../../src/output/palette.js';
import { columnsOf } from '../../src/output/text-layout.js';
import { renderTimeline } from '../../src/output/timeline.js';
import { idOf, outcome, record, response, verdict } from './samples.js';

const at80 = { width: 80, paint: plainPaint };

test('x', () => {
  const outcomes = [
    outcome('stay-inside', { durationMs: 40 }),
    outcome('redact-secrets', { durationMs: 60, output: { hookSpecificOutput: { tool_input: { content: 'b' } } } }),
    outcome('lint-command', { status: 'skipped', skipReason: 'matcher' }),
  ];
  const changes = [{ path: 'tool_input.content', hookId: idOf('redact-secrets'), before: 'a', after: 'b' }];
  console.log(
    renderTimeline(record('BeforeTool write_file', { 'stay-inside': 0, 'redact-secrets': 40 }), response(outcomes, { changes }), at80).join(
      '\n',
    ),
  );
});
