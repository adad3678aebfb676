// The commands as the program takes them. Pure.

export type Action = 'tick' | 'untick' | 'start' | 'claim' | 'verify' | 'annotate' | 'restore';

export const actions: readonly Action[] = ['tick', 'untick', 'start', 'claim', 'verify', 'annotate', 'restore'];

/** Those that are about one task. */
export const ofTask: ReadonlySet<Action> = new Set<Action>(['tick', 'untick', 'start', 'claim']);

const words: Record<Action, string[]> = {
  tick: ['done'], untick: ['reopen'], start: ['start'], claim: ['claim'], verify: ['verify', '--yes'],
  annotate: ['annotate'], restore: ['restore', '--lost'],
};

/**
 * argv without the program: never a shell string, and a task's name is never taken for an option. "restore" puts back
 * the tasks that were lost since the newest version of the plan that has them. For "verify" the user has been asked: `--yes`.
 */
export function commandLine(action: Action, plan: string, task: string): string[] {
  const by = ['--by', 'person'];
  return [...words[action], '--plan', plan, ...by, ...(task === '' ? [] : ['--', task])];
}

/** The first line of what the program says when it fails, without its name. */
export function failureOf(errors: string): string {
  const line = errors.split('\n').find((one) => one.trim() !== '') ?? '';
  return line.replace(/^plankeep: (error: )?/, '') || 'plankeep failed';
}
