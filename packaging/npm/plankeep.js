#!/usr/bin/env node
// Starts the program from the package for this machine, and ends as it ends. Hooks do not come through here:
// `plankeep install` writes the path of the program itself.
'use strict';

const { spawn } = require('child_process');
const os = require('os');

const packages = { 'linux-x64': '@plankeep/linux-x64', 'linux-arm64': '@plankeep/linux-arm64' };

function fail(message, hint) {
  process.stderr.write(`plankeep: error: ${message}\nhint: ${hint}\n`);
  process.exit(4);
}

function findProgram() {
  if (process.env.PLANKEEP_PROGRAM) return process.env.PLANKEEP_PROGRAM;
  const machine = `${process.platform}-${process.arch}`;
  const name = packages[machine];
  if (!name) {
    fail(`there is no program for ${machine} in npm, only for ${Object.keys(packages).join(' and ')}`,
         'build it from source and set PLANKEEP_PROGRAM to its path');
  }
  try {
    return require.resolve(`${name}/bin/plankeep`);
  } catch (error) {
    return fail(`the package ${name} is not installed`,
                'npm leaves it out with --omit=optional, or with a lock file from another machine: ' +
                'npm install --include=optional plankeep');
  }
}

const program = findProgram();
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });

// What is sent to this process alone goes on to the program. Ctrl-C and Ctrl-\ on a terminal reach both by themselves.
const handlers = {};
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']) {
  const fromTerminal = signal === 'SIGINT' || signal === 'SIGQUIT';
  handlers[signal] = () => {
    if (!(fromTerminal && process.stdin.isTTY)) child.kill(signal);
  };
  process.on(signal, handlers[signal]);
}

child.on('error', (error) => {
  fail(`cannot start ${program}: ${error.message}`, 'install it again, or set PLANKEEP_PROGRAM to its path');
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  // Ends by the same signal, so that a shell sees what happened. Exits as shells say it where it was ignored.
  if (handlers[signal]) process.removeListener(signal, handlers[signal]);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(128 + (os.constants.signals[signal] || 0)), 100);
});
