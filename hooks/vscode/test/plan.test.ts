import assert from 'node:assert/strict';
import { test } from 'node:test';

import { commandLine, failureOf, actions } from '../src/commands';
import { readPlan, statusText, treeOf, type Plan } from '../src/plan';

const status = {
  plan: { id: 'p', path: '/p/plan.md', title: 'A plan' }, progress: { totalTasks: 3, completedTasks: 1 }, currentTask: 'b',
  phases: [{ id: 'one', title: 'Phase 1', status: 'in_progress', total: 2, done: 1 }], blockers: ['rain'],
};
const tasks = {
  tasks: [
    { id: 'a', phaseId: 'one', title: 'First', state: 'done', done: true, line: 3, waitingFor: [] },
    { id: 'b', phaseId: 'one', title: 'Second', state: 'active', done: false, line: 4, waitingFor: ['x'], optional: true },
    { id: 'b', phaseId: 'lost', title: 'Elsewhere', state: 'open', done: false, line: 9, waitingFor: [] },
  ],
};
const read = () => readPlan(status, tasks) as Plan;

test('phases hold their tasks, and a task of no known phase is not lost', () => {
  const nodes = treeOf(read());
  assert.deepEqual(nodes.map((node) => [node.label, node.description, node.kind]), [
    ['Phase 1', '1/2', 'phase'], ['Elsewhere', 'current', 'open'],
  ]);
  assert.deepEqual(nodes[0]?.children.map((node) => [node.label, node.icon, node.kind]), [
    ['First', 'pass-filled', 'done'], ['Second', 'play-circle', 'open'],
  ]);
  assert.equal(nodes[0]?.children[1]?.description, 'current · waits for x · optional');
});

test('an id that two phases have is named with its phase, and keys differ', () => {
  const nodes = treeOf(read());
  assert.equal(nodes[0]?.children[0]?.task, 'a');
  assert.equal(nodes[0]?.children[1]?.task, 'one/b');
  assert.equal(nodes[1]?.task, 'lost/b');
  assert.notEqual(nodes[0]?.children[1]?.key, nodes[1]?.key);
});

test('the status bar shows how much is done and what is being done', () => {
  assert.equal(statusText(read()), '1/3 · Second');
  assert.equal(statusText({ ...read(), currentTask: '' }), '1/3');
  const strange = { ...read(), currentTask: 'a', tasks: [{ ...read().tasks[0]!, title: '$(flame)\n😀'.padEnd(90, 'x') }] };
  const shown = statusText(strange, 20);
  assert.ok(!shown.includes('$(') && !shown.includes('\n'));
  assert.equal([...shown].length, 20);
});

test('answers of any shape are read without an error', () => {
  for (const odd of [undefined, null, 1, 'x', [], {}, { plan: null }, { plan: { path: 7 } }]) {
    assert.equal(readPlan(odd, odd), undefined);
  }
  const plan = readPlan({ plan: { path: '/p' }, phases: [null, 3], progress: 'x' }, { tasks: [null, { id: 5 }] });
  assert.equal(plan?.total, 0);
  const nodes = treeOf(plan as Plan);
  assert.deepEqual(nodes.map((node) => node.children.length), [2, 0]);
  const keys = nodes.flatMap((node) => [node, ...node.children]).map((node) => node.key);
  assert.equal(new Set(keys).size, keys.length);
});

test('no id is taken for an option, and no word is split', () => {
  for (const action of actions) {
    const words = commandLine(action, '/a b/plan.md', '--yes; rm');
    assert.ok(words.includes('/a b/plan.md'));
    assert.ok(words.indexOf('--') < words.indexOf('--yes; rm'));
    assert.equal(words.at(-1), '--yes; rm');
  }
  assert.deepEqual(commandLine('tick', '/p', 'a'), ['done', '--plan', '/p', '--by', 'person', '--', 'a']);
  assert.deepEqual(commandLine('annotate', '/p', ''), ['annotate', '--plan', '/p', '--by', 'person']);
});

test('a failure is the first line that says something', () => {
  assert.equal(failureOf('\nplankeep: error: no task x\nhint: y\n'), 'no task x');
  assert.equal(failureOf(''), 'plankeep failed');
});
