export { SocketTransportError } from './socket-error.js';
export { connectToSocket, listenOnSocket } from './socket-transport.js';

export type { ConnectToSocketOptions } from './client/connect-to-socket.js';
export type { SocketLimits } from './limits.js';
export type { ListenOnSocketOptions } from './hub/listen-on-socket.js';
export type { SocketErrorCode } from './socket-error.js';
export type { SocketTransport } from './socket-transport.js';
