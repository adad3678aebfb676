// Where the program is. Pure: what the machine has comes in as functions.

export interface Surroundings {
  /** The setting `plankeep.path`; empty when it is not set. */
  setting: string;
  /** The variable PATH. */
  path: string;
  /** Folders of the workspace, absolute. */
  folders: string[];
  /** Whether what lies in these folders may be run. */
  trusted: boolean;
  /** As `process.platform` and `process.arch`. */
  platform: string;
  arch: string;
  isExecutable(file: string): boolean;
}

export type Found =
  | { program: string; from: 'setting' | 'path' | 'npm' }
  /** `reason` is a sentence for the user. */
  | { program: undefined; reason: string };

/**
 * The setting, else PATH, else the npm package in a folder of the workspace; that last one only when the workspace is
 * trusted, since a stranger's repository may bring it. A setting that names no program is not passed over silently.
 */
export function findProgram(here: Surroundings): Found {
  const windows = here.platform === 'win32';
  const name = windows ? 'plankeep.exe' : 'plankeep';
  const absolute = (file: string) => (windows ? /^([A-Za-z]:)?[\\/]/.test(file) : file.startsWith('/'));
  if (here.setting !== '') {
    // A relative path would be looked for in whatever folder is open.
    if (!absolute(here.setting)) return { program: undefined, reason: 'The setting plankeep.path has to be an absolute path.' };
    if (here.isExecutable(here.setting)) return { program: here.setting, from: 'setting' };
    return { program: undefined, reason: `The setting plankeep.path names no program: ${here.setting}` };
  }
  const separator = windows ? '\\' : '/';
  for (const folder of here.path.split(windows ? ';' : ':')) {
    const file = folder.replace(/[\\/]+$/, '') + separator + name;
    if (absolute(folder) && here.isExecutable(file)) return { program: file, from: 'path' };
  }
  if (here.trusted) {
    for (const folder of here.folders) {
      const file = [folder, 'node_modules', '@plankeep', `${here.platform}-${here.arch}`, 'bin', name].join(separator);
      if (here.isExecutable(file)) return { program: file, from: 'npm' };
    }
  }
  return { program: undefined, reason: 'The program plankeep was not found.' };
}
