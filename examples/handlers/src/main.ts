/** Each file is a program; importing it runs it to its end. */
const programs = [
  'block-dangerous-commands',
  'restrict-file-access',
  'modify-arguments',
  'audit-trail',
  'token-budget',
  'rate-limit-retry',
  'in-an-agent',
  'other-process',
];

for (const [index, program] of programs.entries()) {
  console.log(`${index === 0 ? '' : '\n'}── ${program} ──`);
  await import(`./${program}.js`);
}
