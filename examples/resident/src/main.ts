import { isDeepStrictEqual } from 'node:util';
import { type Answer, runCalls } from './run-calls.js';

const resident = await runCalls('resident', 20);
for (const { call, verdict, path, routes } of resident.answers) {
  console.log(call);
  console.log(`  ${verdict}${path === undefined ? '' : `, and the path is ${path}`}`);
  for (const [name, route] of Object.entries(routes)) console.log(`  ${name} was ${route ?? 'a process of its own'}`);
}
const cold = await runCalls('cold', 1);
const withoutRoutes = ({ answers }: { readonly answers: readonly Answer[] }) => answers.map(({ routes: _, ...answer }) => answer);
console.log(`The same answers from a process for each event: ${isDeepStrictEqual(withoutRoutes(resident), withoutRoutes(cold))}`);
console.log(`An event took ${resident.msPerEvent.toFixed(1)} ms, and ${cold.msPerEvent.toFixed(1)} ms with a process for each event.`);
