// What the program says of a plan, and what is shown of it. Pure; everything read is a stranger's text.

export interface Task {
  id: string;
  phaseId: string;
  title: string;
  state: string;
  done: boolean;
  optional: boolean;
  line: number;
  waitingFor: string[];
}

export interface Phase {
  id: string;
  title: string;
  status: string;
  done: number;
  total: number;
}

export interface Plan {
  path: string;
  title: string;
  done: number;
  total: number;
  phases: Phase[];
  tasks: Task[];
  currentTask: string;
  blockers: string[];
}

type Fields = Record<string, unknown>;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const texts = (value: unknown): string[] => list(value).filter((one): one is string => typeof one === 'string');

/** `status --json` and `list --json`, parsed; undefined when the first says nothing of a plan. */
export function readPlan(status: unknown, tasks: unknown): Plan | undefined {
  const about = fields(fields(status).plan);
  if (text(about.path) === '') return undefined;
  const progress = fields(fields(status).progress);
  return {
    path: text(about.path),
    title: text(about.title) || text(about.id),
    done: count(progress.completedTasks),
    total: count(progress.totalTasks),
    phases: list(fields(status).phases).map(fields).map((one) => ({
      id: text(one.id), title: text(one.title), status: text(one.status), done: count(one.done), total: count(one.total),
    })),
    tasks: list(fields(tasks).tasks).map(fields).map((one) => ({
      id: text(one.id), phaseId: text(one.phaseId), title: text(one.title), state: text(one.state), done: one.done === true,
      optional: one.optional === true, line: count(one.line), waitingFor: texts(one.waitingFor),
    })),
    currentTask: text(fields(status).currentTask),
    blockers: texts(fields(status).blockers),
  };
}

export interface Node {
  /** The same for the same phase or task as long as it keeps its id. */
  key: string;
  label: string;
  description: string;
  /** Name of a symbol of VS Code. */
  icon: string;
  /** What menus ask for. */
  kind: 'phase' | 'open' | 'done';
  expanded: boolean;
  /** How the program is told of a task; empty for a phase. */
  task: string;
  /** 1-based; 0: none. */
  line: number;
  children: Node[];
}

/** An id that is not unique in the plan is named with its phase. */
export function nameOf(task: Task, tasks: Task[]): string {
  const unique = tasks.filter((other) => other.id === task.id).length === 1;
  return unique ? task.id : `${task.phaseId}/${task.id}`;
}

function iconOf(task: Task): string {
  if (task.done) return 'pass-filled';
  if (task.state === 'active') return 'play-circle';
  return task.waitingFor.length > 0 ? 'watch' : 'circle-large-outline';
}

function nodeOf(task: Task, plan: Plan): Node {
  const said = [];
  if (task.id === plan.currentTask) said.push('current');
  if (!task.done && task.waitingFor.length > 0) said.push(`waits for ${task.waitingFor.join(', ')}`);
  if (task.optional) said.push('optional');
  return {
    key: `task:${task.phaseId}/${task.id}`, label: task.title, description: said.join(' · '), icon: iconOf(task),
    kind: task.done ? 'done' : 'open', expanded: false, task: nameOf(task, plan.tasks), line: task.line, children: [],
  };
}

// VS Code refuses a tree in which two have the same key; a plan with mistakes has two tasks or phases of one id.
function withKeysOfTheirOwn(nodes: Node[], used = new Map<string, number>()): Node[] {
  for (const node of nodes) {
    const before = used.get(node.key) ?? 0;
    used.set(node.key, before + 1);
    if (before > 0) node.key += `#${before + 1}`;
    withKeysOfTheirOwn(node.children, used);
  }
  return nodes;
}

/** Phases with their tasks; tasks of no phase that is known come last, by themselves. */
export function treeOf(plan: Plan): Node[] {
  const first = new Map<string, number>();
  plan.phases.forEach((phase, index) => first.set(phase.id, first.get(phase.id) ?? index));
  const phases = plan.phases.map((phase, index): Node => ({
    key: `phase:${phase.id}`, label: phase.title || phase.id, description: `${phase.done}/${phase.total}`,
    icon: phase.status === 'completed' ? 'pass' : 'list-unordered', kind: 'phase',
    expanded: phase.status === 'in_progress', task: '', line: 0,
    children: plan.tasks.filter((task) => first.get(task.phaseId) === index).map((task) => nodeOf(task, plan)),
  }));
  const others = plan.tasks.filter((task) => !first.has(task.phaseId)).map((task) => nodeOf(task, plan));
  return withKeysOfTheirOwn([...phases, ...others]);
}

/** Where VS Code would make a symbol of `$(name)` in a stranger's text: there it stays text. */
export const withoutSymbols = (shown: string): string => shown.replaceAll('$(', '$ (');

/** "4/14 · Remember a position", cut to `longest` characters. */
export function statusText(plan: Plan, longest = 50): string {
  const current = plan.tasks.find((task) => task.id === plan.currentTask);
  const whole = `${plan.done}/${plan.total}` + (current ? ` · ${current.title.replace(/\s+/g, ' ')}` : '');
  const characters = [...withoutSymbols(whole)];
  return characters.length > longest ? characters.slice(0, longest - 1).join('') + '…' : characters.join('');
}
