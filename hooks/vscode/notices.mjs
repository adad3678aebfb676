// dist/NOTICES.txt: the licences of what is in the bundle, found by the list that esbuild writes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const inputs = Object.keys(JSON.parse(readFileSync('dist/bundle.json', 'utf8')).inputs);
const packages = new Set(inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean));
const parts = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.(txt|md))?$/i.test(one));
  if (file === undefined || !existsSync(`${folder}/${file}`)) throw new Error(`${folder} has no licence text`);
  return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
});
writeFileSync('dist/NOTICES.txt', `The bundle contains these packages.\n\n${parts.join('\n----\n\n')}`);
