const input = JSON.parse(require('node:fs').readFileSync(0));
const safe = [/^npm (test|run lint)$/, /^git (status|diff)\b/];
if (safe.some((pattern) => pattern.test(input.tool_input.command))) {
  const hookSpecificOutput = { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } };
  process.stdout.write(JSON.stringify({ hookSpecificOutput }));
}
