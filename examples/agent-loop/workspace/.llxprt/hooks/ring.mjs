#!/usr/bin/env node
// Runs when the agent needs its user. A real hook would ring a bell or send a message; this one writes a line to a log.
import { appendFileSync, readFileSync } from 'node:fs';

const { notification_type, message } = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(`${process.env.LLXPRT_PROJECT_DIR}/.llxprt/notifications.log`, `${notification_type}: ${message}\n`);
