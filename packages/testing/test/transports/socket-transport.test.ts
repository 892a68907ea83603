import { testSocketTransport } from './socket-tests.js';

testSocketTransport('first');
