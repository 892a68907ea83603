let raw = '';
process.stdin.on('data', (chunk) => (raw += chunk));
process.stdin.on('end', () => {
  const { prompt } = JSON.parse(raw);
  if (prompt.trimEnd().endsWith('-p')) console.log('Make a plan first. Do not edit files yet.');
});
