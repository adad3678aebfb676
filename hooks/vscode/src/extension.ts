// The extension: finds the program, starts its language server, shows the plan. What is decided is in the other files;
// here it is carried out. Nothing is sent anywhere, and no shell is used.

import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

import { actions, commandLine, failureOf, ofTask, type Action } from './commands';
import { findProgram } from './find_program';
import { readPlan, statusText, treeOf, withoutSymbols, type Node, type Plan } from './plan';

interface Output {
  ok: boolean;
  output: string;
  errors: string;
}

const kPatience = 20_000; // milliseconds, for what only reads
const kVerifyPatience = 3_600_000;
const kLargest = 32 * 1024 * 1024; // bytes of output
const kEditPatience = 5_000; // milliseconds in which a change of the plan is taken for the server's
const kSettle = 150; // milliseconds in which several changes are one

let program: string | undefined;
let client: LanguageClient | undefined;
let plan: Plan | undefined;
let planUri: vscode.Uri | undefined;
let log: vscode.LogOutputChannel;
let bar: vscode.StatusBarItem;
let view: vscode.TreeView<Node>;
let told = false; // that there is no program
let asked = 0; // which look at the plan is the last one

// --- the program ----------------------------------------------------------------------------------------------------

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function run(words: string[], folder: string, timeout = kPatience): Promise<Output> {
  return new Promise((done) => {
    if (program === undefined) return done({ ok: false, output: '', errors: 'the program was not found' });
    const options = { cwd: folder, timeout, maxBuffer: kLargest, encoding: 'utf8' as const, env: { ...process.env, NO_COLOR: '1' } };
    const child = execFile(program, words, options, (error, output, errors) => {
      if (error) log.info(`plankeep ${words[0]}: ${failureOf(errors || error.message)}`);
      done({ ok: error === null, output, errors: errors || (error?.message ?? '') });
    });
    child.stdin?.end();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function tellMissing(reason: string): Promise<void> {
  if (told) return;
  told = true;
  const [how, settings] = ['How to get it', 'Set its path'];
  const chosen = await vscode.window.showWarningMessage(`${reason} The plan is shown when it is installed.`, how, settings);
  if (chosen === how) await vscode.commands.executeCommand('plankeep.ui.install');
  if (chosen === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'plankeep.path');
}

// Again whenever the setting or the trust in the workspace changes.
async function begin(context: vscode.ExtensionContext): Promise<void> {
  await client?.stop().catch(() => undefined);
  client = undefined;
  const found = findProgram({
    setting: vscode.workspace.getConfiguration('plankeep').get('path', ''),
    path: process.env.PATH ?? '',
    folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    trusted: vscode.workspace.isTrusted,
    platform: process.platform,
    arch: process.arch,
    isExecutable,
  });
  program = found.program;
  await vscode.commands.executeCommand('setContext', 'plankeep.missing', program === undefined);
  if (found.program === undefined) {
    log.info(found.reason);
    show(undefined);
    void tellMissing(found.reason);
    return;
  }
  told = false;
  log.info(`using ${found.program} (${found.from})`);
  await startServer(context, found.program);
  refresh();
}

// --- the language server --------------------------------------------------------------------------------------------

async function startServer(context: vscode.ExtensionContext, path: string): Promise<void> {
  // An older program has no server: tree, status bar and commands work without it.
  if (!(await run(['lsp', '--help'], homedir())).ok) {
    log.info('this program has no language server: no diagnostics in the editor');
    return;
  }
  const server = { command: path, args: ['lsp'] };
  client = new LanguageClient('plankeep', 'plankeep', server, {
    documentSelector: [{ scheme: 'file', language: 'markdown' }],
    outputChannel: log,
    initializationOptions: { inlayHints: vscode.workspace.getConfiguration('plankeep').get('inlayHints', false) },
    // Code lenses and quick fixes of the server come through here, too.
    middleware: {
      executeCommand: async (command, words, next) => (mayChange() ? next(command, words) : undefined),
    },
  });
  context.subscriptions.push(client.onNotification('plankeep/changed', () => refresh()));
  try {
    await client.start();
  } catch (error) {
    log.info(`the language server did not start: ${String(error)}`);
    client = undefined;
  }
}

/** In a workspace that is not trusted nothing is changed. */
function mayChange(): boolean {
  if (vscode.workspace.isTrusted) return true;
  void vscode.window.showWarningMessage('plankeep only reads in a workspace that is not trusted.');
  return false;
}

/** For a program without a language server: a server shows the commands that it wants to run, and asks itself. */
async function agreesToCommands(): Promise<boolean> {
  const yes = 'Run them';
  const question = 'Run the commands of the plan’s criteria?';
  const detail = 'The plan names these commands (verify: …). They run with your rights, in the project’s folder.';
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

// --- looking at the plan --------------------------------------------------------------------------------------------

function candidate(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'markdown' && document.uri.scheme === 'file' ? document.uri : undefined;
}

async function statusOf(uri: vscode.Uri): Promise<unknown> {
  if (client?.isRunning()) {
    try {
      const answer = await client.sendRequest('plankeep/status', { uri: uri.toString() });
      if (answer) return answer;
    } catch {
      // a server that does not know the request, or not this file: the command says more
    }
  }
  return parsed((await run(['status', '--json', '--plan', uri.fsPath], dirname(uri.fsPath))).output);
}

async function planAt(uri: vscode.Uri): Promise<Plan | undefined> {
  const [status, tasks] = await Promise.all([
    statusOf(uri), run(['list', '--json', '--plan', uri.fsPath], dirname(uri.fsPath)),
  ]);
  const read = readPlan(status, parsed(tasks.output));
  return read !== undefined && read.total > 0 ? read : undefined;
}

// The plan that the project names, when none was opened yet.
async function planOfWorkspace(): Promise<vscode.Uri | undefined> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue;
    const found = readPlan(parsed((await run(['status', '--json'], folder.uri.fsPath)).output), undefined);
    if (found) return vscode.Uri.file(found.path);
  }
  return undefined;
}

async function look(): Promise<void> {
  const mine = ++asked;
  if (program === undefined) return;
  for (const uri of [candidate(), planUri, await planOfWorkspace()]) {
    if (uri === undefined) continue;
    const found = await planAt(uri);
    if (mine !== asked) return; // a newer refresh is running
    if (found === undefined) continue;
    planUri = uri;
    return show(found);
  }
  if (mine === asked) show(undefined);
}

let waiting: NodeJS.Timeout | undefined;

function refresh(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => void look(), kSettle);
}

// --- showing it -----------------------------------------------------------------------------------------------------

const changed = new vscode.EventEmitter<Node | undefined>();

const tree: vscode.TreeDataProvider<Node> = {
  onDidChangeTreeData: changed.event,
  getChildren: (node) => (node ? node.children : plan ? treeOf(plan) : []),
  getTreeItem: (node) => {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const state = node.children.length === 0 ? None : node.expanded ? Expanded : Collapsed;
    const item = new vscode.TreeItem(node.label, state);
    item.id = node.key;
    item.description = node.description;
    item.iconPath = new vscode.ThemeIcon(node.icon);
    item.contextValue = node.kind;
    item.tooltip = node.task || node.label; // text, no Markdown: a plan is a stranger's
    if (node.line > 0) item.command = { command: 'plankeep.ui.reveal', title: 'Go to task', arguments: [node] };
    return item;
  },
};

function show(found: Plan | undefined): void {
  // Nothing new: the rows stay, so that a button that is about to be pressed is still that of a row.
  if (plan !== undefined && JSON.stringify(plan) === JSON.stringify(found)) return;
  plan = found;
  view.title = 'Plan';
  view.description = found?.title ?? '';
  view.message = found && found.blockers.length > 0 ? `Blocked: ${found.blockers.join('; ')}` : undefined;
  changed.fire(undefined);
  if (found === undefined) return bar.hide();
  bar.text = `$(checklist) ${statusText(found)}`;
  bar.tooltip = found.title;
  bar.show();
}

async function reveal(node: Node | undefined): Promise<void> {
  if (planUri === undefined || node === undefined || node.line < 1) return;
  const editor = await vscode.window.showTextDocument(planUri);
  const at = new vscode.Position(Math.min(node.line, editor.document.lineCount) - 1, 0);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function report(): Promise<void> {
  if (planUri === undefined) return void vscode.window.showInformationMessage('plankeep: no plan is open.');
  const made = await run(['report', '--out', '-', '--plan', planUri.fsPath], dirname(planUri.fsPath));
  if (!made.ok) return void vscode.window.showErrorMessage(`plankeep: ${failureOf(made.errors)}`);
  const title = plan ? `Report: ${plan.title}` : 'Report';
  const options = { enableScripts: false, enableCommandUris: false, enableForms: false, localResourceRoots: [] };
  const panel = vscode.window.createWebviewPanel('plankeep.report', title, vscode.ViewColumn.Active, options);
  panel.webview.html = made.output; // with the Content-Security-Policy that it brings
}

// --- changing it ----------------------------------------------------------------------------------------------------

async function chooseTask(action: Action): Promise<string | undefined> {
  const flat = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children)]);
  const wanted = action === 'untick' ? 'done' : 'open';
  const fitting = plan ? flat(treeOf(plan)).filter((node) => node.kind === wanted) : [];
  const picks = fitting.map((node) => ({
    label: withoutSymbols(node.label), description: withoutSymbols(node.task), task: node.task,
  }));
  return (await vscode.window.showQuickPick(picks, { placeHolder: `Which task to ${action}?` }))?.task;
}

// The server's edit may arrive after its answer. Save the document again if it was saved before.
function saveNextChange(document: vscode.TextDocument): void {
  const watching = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document !== document || !document.isDirty) return;
    watching.dispose();
    void document.save();
  });
  setTimeout(() => watching.dispose(), kEditPatience);
}

async function act(action: Action, node: Node | undefined): Promise<void> {
  if (program === undefined) return void vscode.commands.executeCommand('plankeep.ui.install');
  if (planUri === undefined) return void vscode.window.showInformationMessage('plankeep: no plan is open.');
  const uri = planUri;
  const task = ofTask.has(action) ? (node?.task ?? (await chooseTask(action))) : '';
  if (task === undefined) return;
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  const wasSaved = document !== undefined && !document.isDirty;
  const served = `plankeep.${action}`;
  if (client?.isRunning() && client.initializeResult?.capabilities.executeCommandProvider?.commands.includes(served)) {
    // The language client registers these commands and calls the middleware above. Verify is for the whole plan and reads
    // its file.
    if (action === 'verify') {
      if (document?.isDirty && !(await document.save())) return;
    } else if (wasSaved) {
      saveNextChange(document);
    }
    await vscode.commands.executeCommand(served, uri.toString(), ...(task === '' ? [] : [task]));
    return refresh();
  }
  if (!mayChange() || (action === 'verify' && !(await agreesToCommands()))) return;
  // The program changes the file: what is only in the editor has to be in it first.
  if (document?.isDirty && !(await document.save())) return;
  const words = commandLine(action, uri.fsPath, task);
  const where = { location: vscode.ProgressLocation.Notification, title: `plankeep ${words[0]} ${task}`.trim() };
  const work = () => run(words, dirname(uri.fsPath), action === 'verify' ? kVerifyPatience : kPatience);
  const done = action === 'verify' ? await vscode.window.withProgress(where, work) : await work();
  if (action === 'verify') log.info(done.output);
  if (!done.ok) void vscode.window.showErrorMessage(`plankeep: ${failureOf(done.errors || done.output)}`);
  refresh();
}

// vsce writes its name in small letters.
const readme = (context: vscode.ExtensionContext) =>
  existsSync(`${context.extensionPath}/readme.md`) ? 'readme.md' : 'README.md';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel('plankeep', { log: true });
  bar = vscode.window.createStatusBarItem('plankeep.status', vscode.StatusBarAlignment.Left, 10);
  bar.name = 'plankeep';
  bar.command = 'plankeep.plan.focus';
  view = vscode.window.createTreeView('plankeep.plan', { treeDataProvider: tree });
  const { registerCommand } = vscode.commands;
  context.subscriptions.push(
    log, bar, view, changed,
    ...actions.map((action) => registerCommand(`plankeep.ui.${action}`, (node?: Node) => act(action, node))),
    registerCommand('plankeep.ui.report', report),
    registerCommand('plankeep.ui.refresh', () => (program === undefined ? begin(context) : refresh())),
    registerCommand('plankeep.ui.reveal', reveal),
    registerCommand('plankeep.ui.install', () =>
      vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(context.extensionUri, readme(context)))),
    vscode.window.onDidChangeActiveTextEditor(() => refresh()),
    vscode.workspace.onDidSaveTextDocument((document) => document.languageId === 'markdown' && refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => begin(context)),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('plankeep') && begin(context)),
  );
  // Agents and terminals change the files, too: the plan itself and what is recorded beside it.
  for (const pattern of ['**/{plan,tasks}.md', '**/.checkpoint/state.json']) {
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    watcher.onDidChange(refresh);
    watcher.onDidCreate(refresh);
    watcher.onDidDelete(refresh);
    context.subscriptions.push(watcher);
  }
  await begin(context);
}

export async function deactivate(): Promise<void> {
  clearTimeout(waiting);
  await client?.stop();
}
