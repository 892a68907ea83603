import { MemoryTransport } from '@tenterhook/bus';
import { transportConformance } from '../../src/index.js';

async function open() {
  const transport = new MemoryTransport();
  return { ends: [transport, transport], close: () => transport.close() };
}

for (const { title, run } of transportConformance(open, { isSubscribed: 'own' })) test(title, run);
