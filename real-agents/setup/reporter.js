/** Prints, for each agent, the cases that passed through its real runner, or why the agent is not available. */
export default class CasesReporter {
  onRunComplete(_contexts, { testResults }) {
    const lines = testResults.flatMap(({ testResults: tests }) => {
      const agents = [...new Set(tests.map(({ ancestorTitles: [agent] }) => agent))];
      return agents.map((agent) => {
        const own = tests.filter(({ ancestorTitles }) => ancestorTitles[0] === agent);
        const unavailable = own.find(({ title }) => title.startsWith('not available: '));
        return `${agent}: ${unavailable?.title ?? casesOf(own)}`;
      });
    });
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}

function casesOf(tests) {
  const titlesOf = (status) => tests.filter((test) => test.status === status).map(({ title }) => title);
  const numbers = titlesOf('passed').flatMap((title) => /^([\d, and]+)\. /.exec(title)?.[1].match(/\d+/g) ?? []);
  const cases = [...new Set(numbers.map(Number))].sort((a, b) => a - b);
  const failed = titlesOf('failed');
  return `cases ${cases.join(', ')}${failed.length === 0 ? '' : `; failed: ${failed.join('; ')}`}`;
}
