import { testNatsTransport } from './nats-tests.js';

testNatsTransport('rest');
