import { connect } from 'node:net';

/** Tests whether a process listens on a socket. */
export function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(path);
    const end = (isListening: boolean) => {
      connection.destroy();
      resolve(isListening);
    };
    connection.once('connect', () => end(true));
    connection.once('error', () => end(false));
  });
}
