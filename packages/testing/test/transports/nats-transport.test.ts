import { testNatsTransport } from './nats-tests.js';

testNatsTransport('first');
