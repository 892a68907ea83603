import { shebangOf } from '../../src/shared/shebang.js';

test.each([
  ['#!/bin/sh\nexit 0', '/bin/sh', '/bin/sh'],
  ['#! /bin/bash -e\r\n', '/bin/bash', '/bin/bash -e'],
  ['#!/usr/bin/env python3\n', 'python3', '/usr/bin/env python3'],
  ['#!/usr/bin/env -S node --no-warnings\n', 'node', '/usr/bin/env -S node --no-warnings'],
  ['#!/usr/bin/env -S A=b bash\n', 'bash', '/usr/bin/env -S A=b bash'],
  ['#!/usr/bin/env\n', '/usr/bin/env', '/usr/bin/env'],
])('%j names %s', (head, program, line) => expect(shebangOf(head)).toEqual({ program, line }));

test.each(['', 'exit 0', '# !/bin/sh', '\n#!/bin/sh', '#!\n'])('%j names no interpreter', (head) =>
  expect(shebangOf(head)).toBeUndefined(),
);
