import type { Socket } from 'node:net';

/** Calls the function with each line of JSON that arrives. */
export function readLines(socket: Socket, use: (value: unknown) => void): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) use(JSON.parse(line));
  });
}

/** Returns a function that writes values as lines of JSON. The lines of one turn of the event loop are one write. */
export function lineWriter(socket: Socket): (value: object) => void {
  let lines = '';
  const flush = () => {
    socket.write(lines);
    lines = '';
  };
  return (value) => {
    if (lines === '') process.nextTick(flush);
    lines += `${JSON.stringify(value)}\n`;
  };
}
