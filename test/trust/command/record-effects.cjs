// Loaded with --require: writes a line to the file of EFFECTS for each process that is started and each connection that is opened.
const { appendFileSync } = require('node:fs');
const childProcess = require('node:child_process');
const net = require('node:net');
const dgram = require('node:dgram');
const dns = require('node:dns');

const record = (what) => appendFileSync(process.env.EFFECTS, `${what}\n`);
const watch = (owner, name, what) => {
  const original = owner[name];
  owner[name] = function (...args) {
    record(what);
    return Reflect.apply(original, this, args);
  };
};
watch(childProcess.ChildProcess.prototype, 'spawn', 'process');
watch(childProcess, 'spawnSync', 'process');
watch(net.Socket.prototype, 'connect', 'connection');
watch(net.Server.prototype, 'listen', 'server');
watch(dgram, 'createSocket', 'datagrams');
watch(dns, 'lookup', 'lookup');
