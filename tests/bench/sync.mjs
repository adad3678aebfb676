// The same job in Node, for scale: read the plan, find its tasks with a regular expression, compare with the state,
// append what changed to the history (synced), write the state by rename. Not half as careful as plankeep.
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';

const plan = path.resolve(process.argv[2]);
const folder = path.join(path.dirname(plan), '.node-checkpoint');
const bytes = fs.readFileSync(plan);
const checksum = 'sha256:' + createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const now = new Date().toISOString();

let state = { version: 2, phases: {} };
try {
  state = JSON.parse(fs.readFileSync(path.join(folder, 'state.json'), 'utf8'));
} catch {
  fs.mkdirSync(folder, { recursive: true });
}

const phases = {};
const events = [];
let phase = 'unphased';
for (const line of bytes.toString('utf8').split('\n')) {
  const opened = line.match(/<!--\s*CHECKPOINT:\s*([\w.-]+)\s*-->/);
  if (opened) phase = opened[1];
  const task = line.match(/^\s*[-*+]\s+\[([ xX~])\]\s+(.*?)<!--\s*TASK:\s*([\w.-]+).*?-->/);
  if (!task) continue;
  const done = task[1].toLowerCase() === 'x';
  const before = state.phases[phase]?.tasks[task[3]] ?? { done: false };
  const after = done === before.done ? before : done ? { done, completedAt: now, completedBy: 'main' } : { done };
  if (done !== before.done)
    events.push({ ts: now, event: done ? 'task_completed' : 'task_reopened', taskId: task[3], phaseId: phase, by: 'main' });
  (phases[phase] ??= { status: 'pending', tasks: {}, acceptance: {} }).tasks[task[3]] = { ...after, title: task[2].trim() };
}

if (events.length > 0 || state.checksum !== checksum) {
  const history = fs.openSync(path.join(folder, 'history.jsonl'), 'a');
  fs.writeSync(history, events.map((event) => JSON.stringify(event) + '\n').join(''));
  fs.fdatasyncSync(history);
  fs.closeSync(history);
  const temporary = path.join(folder, 'state.json.tmp');
  fs.writeFileSync(temporary, JSON.stringify({ ...state, checksum, lastCheckpoint: now, phases }, null, 2) + '\n');
  fs.renameSync(temporary, path.join(folder, 'state.json'));
}
