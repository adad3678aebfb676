// plankeep for opencode: keeps the plan while opencode works on it. Made for the calls that opencode 1.18.33 makes.
//
// Put this file into .opencode/plugins/ of a project, or into ~/.config/opencode/plugins/ for all of them. It
// needs the program plankeep on PATH; the variable PLANKEEP_PROGRAM may name another one, PLANKEEP_DISABLE=1
// switches it off.
//
// Each thing that concerns the plan becomes one call "plankeep hook opencode EVENT" with a small JSON object on
// standard input. Only names and paths are sent, the texts of prompts and last messages, and, of Markdown files, what
// an edit replaced by what, since that says whose tick it is.
// The call is waited for (about 3 ms, never more than 5 s): so calls keep their order, and the last one is over
// before opencode ends. Whatever goes wrong is kept from the host: it then is as if there were no plugin.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const PROGRAM = 'plankeep';
const LIMIT_MS = 5000;
const WRITING_TOOLS = new Set(['write', 'edit', 'multiedit', 'patch', 'apply_patch']);

const isText = (value) => typeof value === 'string' && value !== '';

// What a hook of ours may do to the host: nothing.
const harmless = (hook) => async (...args) => {
  try {
    await hook(...args);
  } catch {
    // The plan is compared again at the next event.
  }
};

// Half of a character, as is left when a text is cut, is no valid JSON for everybody.
const whole = (value) => (isText(value) && value.toWellFormed ? value.toWellFormed() : value);

const textOf = (parts) =>
  (Array.isArray(parts) ? parts : [])
    .filter((part) => part?.type === 'text' && !part.synthetic && isText(part.text))
    .map((part) => part.text)
    .join('\n');

// Paths as the tool's result has them (absolute), else as the model gave them.
const writtenPaths = (args, metadata) => {
  const files = Array.isArray(metadata.files) ? metadata.files : [];
  if (files.length > 0) return files.flatMap((file) => [file?.filePath, file?.movePath]);
  return [isText(metadata.filepath) ? metadata.filepath : args.filePath];
};

// What a writing tool put in place of what.
const writtenText = ({ oldString, newString, content, patchText }) => {
  if (isText(patchText)) return { input: patchText };
  if (isText(newString)) return { edits: [{ old_string: oldString ?? '', new_string: newString }] };
  return isText(content) ? { edits: [{ new_string: content }] } : {};
};

export const Plankeep = async ({ directory, worktree }) => {
  const program = process.env.PLANKEEP_PROGRAM || PROGRAM;
  const parents = new Map(); // a subagent's session -> its parent's
  const types = new Map(); // a subagent's session -> its type
  const created = new Set(); // sessions that began here, as opposed to resumed ones
  const greeted = new Set(); // main sessions that have been told of
  const assistants = new Map(); // a session -> the message that the assistant is writing, or wrote last
  const lastTexts = new Map(); // a session -> the last text of the assistant
  let parts = 0;

  const call = (event, facts) => {
    const payload = { event, cwd: directory };
    if (isText(worktree) && worktree !== '/') payload.project = worktree;
    for (const [key, value] of Object.entries(facts)) {
      if (isText(value) || Array.isArray(value)) payload[key] = whole(value);
    }
    const done = spawnSync(program, ['hook', 'opencode', event], {
      cwd: directory,
      input: JSON.stringify(payload),
      encoding: 'utf8',
      timeout: LIMIT_MS,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    try {
      return JSON.parse(done.stdout).additionalContext;
    } catch {
      return undefined; // silent, the usual case
    }
  };

  // The session that counts, and the subagent that acts in it if one does.
  const actor = (sessionID) => {
    const facts = { sessionID: parents.get(sessionID) ?? sessionID };
    if (parents.has(sessionID)) {
      facts.agentID = sessionID;
      facts.agentType = types.get(sessionID);
    }
    return facts;
  };

  const onEvent = ({ type, properties = {} }) => {
    const { sessionID, info, part } = properties;
    if (type === 'session.created') {
      created.add(sessionID);
      if (!isText(info?.parentID)) return; // a main session: its first message tells of it
      parents.set(sessionID, info.parentID);
      types.set(sessionID, info.agent);
      call('subagent_started', actor(sessionID));
    } else if (type === 'session.idle') {
      call(parents.has(sessionID) ? 'subagent_stopped' : 'turn_ended', {
        ...actor(sessionID),
        message: lastTexts.get(sessionID),
      });
    } else if (type === 'message.updated' && info?.role === 'assistant') {
      assistants.set(info.sessionID, info.id);
    } else if (type === 'message.part.updated' && part?.type === 'text') {
      if (assistants.get(part.sessionID) === part.messageID) lastTexts.set(part.sessionID, part.text);
    }
  };

  const onMessage = (input, output) => {
    const { sessionID } = input;
    const prompt = textOf(output.parts);
    if (parents.has(sessionID)) {
      call('subagent_started', { ...actor(sessionID), prompt }); // once more, now with what it is to do
      return;
    }
    const texts = [];
    if (!greeted.has(sessionID)) {
      greeted.add(sessionID);
      const source = created.has(sessionID) ? 'startup' : 'resume';
      texts.push(call('session_start', { ...actor(sessionID), source }));
    }
    texts.push(call('prompt_submitted', { ...actor(sessionID), prompt }));
    for (const text of texts.filter(isText)) {
      const id = `prt_plankeep${Date.now()}${parts++}`;
      output.parts.push({ id, sessionID, messageID: output.message.id, type: 'text', text, synthetic: true });
    }
  };

  const onToolStart = ({ tool, sessionID }) => {
    if (tool === 'bash') call('shell_started', actor(sessionID));
  };

  const onTool = (input, output) => {
    const { tool, sessionID, args = {} } = input;
    if (tool === 'bash') {
      call('shell_ran', actor(sessionID));
    } else if (WRITING_TOOLS.has(tool)) {
      const paths = writtenPaths(args, output.metadata ?? {}).filter(isText);
      if (paths.length === 0) return;
      const text = paths.some((path) => /\.(md|markdown)$/i.test(path)) ? writtenText(args) : {};
      call('file_written', { ...actor(sessionID), paths: paths.map((path) => resolve(directory, path)), ...text });
    }
  };

  if (process.env.PLANKEEP_DISABLE === '1') return {};
  return {
    event: harmless(({ event }) => onEvent(event)),
    'chat.message': harmless(onMessage),
    'tool.execute.before': harmless(onToolStart),
    'tool.execute.after': harmless(onTool),
    'experimental.session.compacting': harmless((input) => {
      call('before_compact', { ...actor(input.sessionID), source: 'auto' });
    }),
    dispose: harmless(() => {
      for (const sessionID of greeted) call('session_ended', { sessionID, source: 'exit' });
      greeted.clear();
    }),
  };
};

// If this file was edited, the checksum no longer fits, and uninstall keeps a copy.
// checksum sha256:eae07bccc453ca97
