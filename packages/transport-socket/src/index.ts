export { connectToSocket } from './connect-to-socket.js';
export { listenOnSocket } from './listen-on-socket.js';
export { SocketTransportError } from './socket-error.js';

export type { ConnectOptions } from './connect-to-socket.js';
export type { SocketLimits } from './limits.js';
export type { ListenOptions } from './listen-on-socket.js';
export type { SocketErrorCode } from './socket-error.js';
