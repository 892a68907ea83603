import { networkInterfaces } from 'node:os';

/** Refuses to start an agent that could reach its vendor. */
export default function requireIsolation() {
  const outside = Object.entries(networkInterfaces()).filter(([, addresses]) => addresses?.some(({ internal }) => !internal));
  if (outside.length === 0) return;
  const names = outside.map(([name]) => name).join(', ');
  throw new Error(`The agents run only without a network, and this process has ${names}. Use npm run test:agents.`);
}
