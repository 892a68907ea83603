import { fault } from './fault.js';
import { endlessMs, pastDeadline } from './late-hook.js';

fault('D1', () => pastDeadline('exec sleep 600', { timeoutMs: 1000, killGraceMs: endlessMs }));
