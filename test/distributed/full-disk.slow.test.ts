import { until } from '../support/until.js';
import { answer, asked, channel, testWithDisk, withSmallDisk } from './small-disk.js';

testWithDisk(
  'requests that a stream keeps end with an error while the disk is full, and are answered after a restart with a free disk',
  () =>
    withSmallDisk(async (server, connect) => {
      const atLeastOnce = { maxBytes: 8 * 1024 * 1024 };
      const [agent, worker] = [await connect({ atLeastOnce, confirmMs: 500 }), await connect({ atLeastOnce })];
      worker.respond(channel, () => answer);
      await worker.flush();
      const ask = async () => {
        const { error } = await agent.request(channel, asked, { timeoutMs: 5000 });
        return error?.message === 'the answer' ? 'answered' : error?.code;
      };
      expect(await ask()).toBe('answered');
      server.fillDisk();
      // The server still has a moment in which it keeps requests in memory.
      let end = await ask();
      while (end === 'answered') end = await ask();
      // `timeout`: the request was stored, and the worker cannot receive it. `overloaded`: the server has answered that it has no room.
      expect(['disposed', 'overloaded', 'timeout']).toContain(end);
      // A server of version 2.9 does not continue by itself when the disk has room.
      await server.kill();
      await server.restart();
      await until('requests are answered again', async () => (await ask()) === 'answered');
    }),
);
