import { testClientFailures } from './client-failures.js';

testClientFailures('compiled');
