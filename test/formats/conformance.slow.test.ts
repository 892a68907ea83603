import { testConformance } from './conformance-suite.js';

testConformance('rest');
