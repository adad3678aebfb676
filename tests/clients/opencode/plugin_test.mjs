// Plays the recorded calls of opencode 1.18.33 to hooks/opencode/plankeep.js, with this very file in the place of
// the program, and compares what it is told with sent.json. PLANKEEP_TESTS_ACCEPT=1 writes sent.json anew.
//
//   node plugin_test.mjs PLUGIN RECORDINGS SENT
//
// What sent.json holds is read by recordings_test.cpp as payloads, so both halves meet there.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [pluginPath, recordings, sentPath] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), 'plankeep-plugin-'));
const log = join(folder, 'log');
const program = join(folder, 'program');

// The stand-in: writes down its arguments and input, and answers with the file "answer", if there is one.
const standIn = (script) => {
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
};
const LOGGING = `printf '%s\\t' "$*" >> '${log}'; cat >> '${log}'; echo >> '${log}'; cat '${folder}/answer' 2>/dev/null; exit 0`;

const calls = () => {
  let text = '';
  try {
    text = readFileSync(log, 'utf8');
  } catch {
    // nothing was called
  }
  rmSync(log, { force: true });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [args, payload] = line.split('\t');
      return { args, payload: JSON.parse(payload) };
    });
};

const recorded = (name) => {
  const text = readFileSync(join(recordings, name), 'utf8').replaceAll('/home/dev/project', folder);
  return JSON.parse(text);
};

const load = async (query, environment = {}) => {
  Object.assign(process.env, { PLANKEEP_PROGRAM: program, PLANKEEP_DISABLE: '' }, environment);
  const { Plankeep } = await import(`${pathToFileURL(pluginPath)}?${query}`);
  return Plankeep(recorded('plugin.load.json'));
};

const play = async (hooks, name) => {
  const value = recorded(name);
  if (name.startsWith('event.')) await hooks.event({ event: value });
  else if (name.startsWith('dispose')) await hooks.dispose();
  else {
    const hook = name.startsWith('chat.') ? 'chat.message' : name.startsWith('tool.') ? 'tool.execute.after' : name.replace('.json', '');
    await hooks[hook](value.input, value.output);
  }
  return value;
};

// As one process could have met them; each recording once.
const ORDER = [
  'event.session.created.json',
  'chat.message.json',
  'tool.execute.after-write.json',
  'tool.execute.after-write-relative.json',
  'tool.execute.after-edit.json',
  'event.file.edited.json',
  'tool.execute.after-bash.json',
  'tool.execute.after-apply_patch.json',
  'event.session.idle.json',
  'event.session.created-subagent.json',
  'tool.execute.after-write-in-subagent.json',
  'event.session.idle-subagent.json',
  'tool.execute.after-task.json',
  'experimental.session.compacting.json',
  'event.session.compacted.json',
  'dispose.json',
];

const tests = {
  'every recording leads to the calls that are written down': async () => {
    standIn(LOGGING);
    const hooks = await load('recordings');
    const sent = [];
    for (const name of ORDER) {
      await play(hooks, name);
      for (const { args, payload } of calls()) {
        assert.equal(args, `hook opencode ${payload.event}`);
        sent.push({ file: name, event: payload.event, payload });
      }
    }
    const text = JSON.stringify(sent, null, 1).replaceAll(folder, '/home/dev/project') + '\n';
    if (process.env.PLANKEEP_TESTS_ACCEPT === '1') writeFileSync(sentPath, text);
    assert.equal(text, readFileSync(sentPath, 'utf8'));
  },

  'an answer becomes a text part of the message, one for the session and one for the prompt': async () => {
    standIn(LOGGING);
    writeFileSync(join(folder, 'answer'), '{"additionalContext":"where things stand"}');
    const hooks = await load('answers');
    const { output } = await play(hooks, 'chat.message.json');
    assert.deepEqual(calls().map((call) => call.payload.event), ['session_start', 'prompt_submitted']);
    const added = output.parts.slice(1);
    assert.equal(added.length, 2);
    assert.equal(new Set(added.map((part) => part.id)).size, 2);
    for (const part of added) {
      assert.equal(part.type, 'text');
      assert.equal(part.text, 'where things stand');
      assert.equal(part.sessionID, output.message.sessionID);
      assert.equal(part.messageID, output.message.id);
      assert.match(part.id, /^prt_/);
    }
    await play(hooks, 'chat.message.json');
    assert.deepEqual(calls().map((call) => call.payload.event), ['prompt_submitted']);
    rmSync(join(folder, 'answer'));
  },

  'a subagent is told of again with its prompt, and its message is its last text': async () => {
    standIn(LOGGING);
    const hooks = await load('subagent');
    const { properties } = await play(hooks, 'event.session.created-subagent.json');
    const child = properties.sessionID;
    const output = { message: { id: 'msg_1' }, parts: [{ type: 'text', text: 'do task a' }] };
    await hooks['chat.message']({ sessionID: child }, output);
    assert.equal(output.parts.length, 1);
    const event = (type, values) => hooks.event({ event: { type, properties: values } });
    await event('message.updated', { info: { role: 'user', id: 'msg_1', sessionID: child } });
    await event('message.part.updated', { part: { type: 'text', messageID: 'msg_1', sessionID: child, text: 'do task a' } });
    await event('message.updated', { info: { role: 'assistant', id: 'msg_2', sessionID: child } });
    await event('message.part.updated', { part: { type: 'text', messageID: 'msg_2', sessionID: child, text: 'a is done' } });
    await event('session.idle', { sessionID: child });
    const [first, second, last] = calls().map((call) => call.payload);
    assert.equal(first.event, 'subagent_started');
    assert.deepEqual([second.event, second.prompt, second.agentID], ['subagent_started', 'do task a', child]);
    assert.deepEqual([last.event, last.message, last.sessionID], ['subagent_stopped', 'a is done', properties.info.parentID]);
  },

  'a command of the shell is told of when it begins and when it is over, other tools when they are over': async () => {
    standIn(LOGGING);
    const hooks = await load('shell');
    const { input, output } = recorded('tool.execute.after-bash.json');
    await hooks['tool.execute.before'](input, { args: input.args });
    await hooks['tool.execute.after'](input, output);
    await hooks['tool.execute.before']({ ...input, tool: 'write' }, { args: {} });
    const sent = calls().map((call) => [call.payload.event, call.payload.sessionID]);
    assert.deepEqual(sent, [['shell_started', input.sessionID], ['shell_ran', input.sessionID]]);
  },

  'what was not created here was resumed': async () => {
    standIn(LOGGING);
    const hooks = await load('resumed');
    await play(hooks, 'chat.message.json');
    assert.equal(calls()[0].payload.source, 'resume');
  },

  'nothing that goes wrong reaches the host': async () => {
    for (const script of ['exit 3', 'echo "{"', 'echo "[1]"', 'echo null', 'kill -9 $$', 'exec < /dev/null; exit 0']) {
      standIn(script);
      const hooks = await load(`wrong-${encodeURIComponent(script)}`);
      for (const name of ORDER) {
        const before = recorded(name);
        const after = await play(hooks, name);
        assert.deepEqual(after, before);
      }
      for (const hook of Object.values(hooks)) {
        for (const bad of [undefined, null, {}, { event: null }, { event: { type: 'session.idle' } }]) await hook(bad, bad);
      }
    }
    const hooks = await load('missing', { PLANKEEP_PROGRAM: join(folder, 'no-such-program') });
    for (const name of ORDER) await play(hooks, name);
    calls();
  },

  'it can be switched off': async () => {
    standIn(LOGGING);
    const hooks = await load('off', { PLANKEEP_DISABLE: '1' });
    assert.deepEqual(Object.keys(hooks), []);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
rmSync(folder, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
