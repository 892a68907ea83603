const chunks = [];
process.stdin.on('data', (c) => chunks.push(c));
process.stdin.on('end', () => {
  const { tool_input } = JSON.parse(Buffer.concat(chunks));
  if (!/^terraform apply/.test(tool_input.command)) return;
  const command = tool_input.command.replace('apply', 'plan');
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command } } }));
});
