import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findProgram, type Surroundings } from '../src/find_program';

function here(programs: string[], more: Partial<Surroundings> = {}): Surroundings {
  return {
    setting: '', path: '/usr/bin:/bin', folders: ['/home/kim/project'], trusted: true, platform: 'linux', arch: 'x64',
    isExecutable: (file) => programs.includes(file), ...more,
  };
}
const packaged = '/home/kim/project/node_modules/@plankeep/linux-x64/bin/plankeep';

test('the setting is taken before PATH, and PATH before the npm package', () => {
  const all = ['/opt/plankeep', '/bin/plankeep', packaged];
  assert.deepEqual(findProgram(here(all, { setting: '/opt/plankeep' })), { program: '/opt/plankeep', from: 'setting' });
  assert.deepEqual(findProgram(here(all)), { program: '/bin/plankeep', from: 'path' });
  assert.deepEqual(findProgram(here([packaged])), { program: packaged, from: 'npm' });
});

test('a setting that names nothing is told, not passed over', () => {
  const found = findProgram(here(['/bin/plankeep'], { setting: '/opt/none' }));
  assert.equal(found.program, undefined);
  assert.match('reason' in found ? found.reason : '', /\/opt\/none/);
  assert.equal(findProgram(here(['bin/plankeep'], { setting: 'bin/plankeep' })).program, undefined);
});

test('what a repository brings is not run before it is trusted', () => {
  assert.equal(findProgram(here([packaged], { trusted: false })).program, undefined);
});

test('relative and empty folders of PATH name nothing', () => {
  assert.equal(findProgram(here(['/plankeep', './plankeep', 'plankeep'], { path: '.::bin:' })).program, undefined);
});

test('Windows has its own separators and its own ending', () => {
  const file = 'C:\\tools\\plankeep.exe';
  const windows = here([file], { platform: 'win32', path: 'C:\\Windows;C:\\tools\\' });
  assert.deepEqual(findProgram(windows), { program: file, from: 'path' });
});
