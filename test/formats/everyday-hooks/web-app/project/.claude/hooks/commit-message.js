const { tool_input } = JSON.parse(require('fs').readFileSync('/dev/stdin', 'utf8'));
const message = (tool_input.command.match(/-m\s+"([^"]+)"/) || [])[1];
console.log('[commit-message] checking: ' + message);
if (message && !/^(feat|fix|docs|chore)(\(.+\))?: /.test(message)) {
  console.log(JSON.stringify({ decision: 'block', reason: 'Write type: subject.' }));
}
