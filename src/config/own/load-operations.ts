import { registerHooks } from 'node:module';
import { extname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import { inHook, type OwnFile, runningHook } from '../../bellhop/own-hook.ts';
import { z } from 'zod';

import * as surface from '../../bellhop/bellhop.ts';
import type { MaskText } from '../../command/redactor.ts';
import { isDeclared } from '../../bellhop/operation.ts';
import { errorCode } from '../../model/values/errors.ts';
import type { Operation } from '../../model/operation.ts';
import { readSmallFile } from '../../program/files.ts';
import type { Finding } from '../../model/rulebook/finding.ts';
import type { LocatedFinding } from '../yaml/findings.ts';
import { boundOperation } from './bound-operation.ts';
import { mistakesOf } from './check-operation.ts';
import { hasWayOut, noteImport, watchGlobalClients } from './ways-out.ts';

interface LoadOptions {
  /** `files` are the paths in bellhop.yaml, relative to `folder`. */
  readonly files: readonly string[];
  readonly folder: string;
  readonly builtIn: readonly Operation[];
  readonly kinds: readonly string[];
  /** Masks learnt secrets. Absent if the operations are only checked and never run. */
  readonly mask?: MaskText | undefined;
}

interface LoadedOperations {
  readonly operations: readonly Operation[];
  /** `findings` are about lines of bellhop.yaml, and `mistakes` about the operation files themselves. */
  readonly findings: readonly Finding[];
  readonly mistakes: readonly LocatedFinding[];
}

const largestFile = 1024 * 1024;
/** In milliseconds, for each file, because the start of Bellhop waits for it. */
const loadWithinMs = 5000;

/** In order. Never rejects, so that a mistake in one file does not hide mistakes in other files. */
export async function loadOperations(options: LoadOptions): Promise<LoadedOperations> {
  const operations: Operation[] = [];
  const findings: Finding[] = [];
  const mistakes: LocatedFinding[] = [];
  const areas = new Map(options.builtIn.map(({ name }) => [areaOf(name), 'Bellhop itself']));
  for (const [index, file] of options.files.entries()) {
    const path = resolve(options.folder, file);
    const label = labelOf(path);
    const read = readSmallFile(path, largestFile);
    if ('problem' in read) {
      const text = `${file} ${read.problem}: give the path of a file, relative to bellhop.yaml.`;
      findings.push({ path: ['operations', index], text });
      continue;
    }
    const mistake = (message: string, at = '', line?: number): void => {
      const place = line === undefined ? {} : { line, column: 1 };
      mistakes.push({ file: label, path: at, severity: 'error', message, ...place });
    };
    const own = ownFile(path, options.mask);
    const hook = { operation: label, hook: 'top level', file: own };
    const exported = await inHook(hook, () => load(path, mistake));
    if (!exported) continue;
    const declared = declaredIn(exported);
    if (declared.size === 0)
      mistake('exports no operation: export const … = operation({ name, summary, risk, input, run }).');
    if (exported['default'] !== undefined && !isDeclared(exported['default']))
      mistake('is not an operation: export what operation({ … }) returns, or remove it.', 'default');
    const names = new Set<string>();
    for (const [one, at] of declared) {
      const found = mistakesOf(one, { areas, names, kinds: options.kinds });
      for (const { path: field, message } of found) mistake(message, [at, ...field].join('.'));
      names.add(one.name);
      operations.push(boundOperation(one, own));
    }
    for (const name of names) areas.set(areaOf(name), label);
  }
  return { operations, findings, mistakes };
}

function ownFile(path: string, mask: MaskText = (text) => text): OwnFile {
  const url = pathToFileURL(path).href;
  return {
    mask,
    hasOwnClient: () => takesClient.has(url) || hasWayOut(url),
    noteOwnClient: () => void takesClient.add(url),
  };
}

const areaOf = (name: unknown): string => String(name).split('.', 1)[0] ?? '';

function labelOf(path: string): string {
  const from = relative(process.cwd(), path);
  return from.startsWith('..') ? path : from;
}

/** Each with the first name that exports it. */
function declaredIn(exported: Readonly<Record<string, unknown>>): ReadonlyMap<Operation, string> {
  const found = new Map<Operation, string>();
  const named = Object.entries(exported).toSorted(
    ([one], [other]) => Number(one === 'default') - Number(other === 'default'),
  );
  for (const [name, value] of named) if (isDeclared(value) && !found.has(value)) found.set(value, name);
  return found;
}

interface Problem {
  readonly why: string;
  readonly line?: number | undefined;
}

async function load(
  path: string,
  mistake: (message: string, at?: string, line?: number) => void,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const url = pathToFileURL(path).href;
  const tried = entries.has(url) ? undefined : await problemInWorker(url);
  const { problem = tried, loaded } = tried ? {} : await importFile(url);
  if (problem) mistake(problem.why, '', problem.line);
  return loaded;
}

const workerMessage = z.object({
  begun: z.boolean().optional(),
  problem: z.object({ why: z.string(), line: z.number().optional() }).optional(),
});

/** If the file ends, blocks or breaks its own thread, Bellhop is not affected. */
async function problemInWorker(url: string): Promise<Problem | undefined> {
  const entry = new URL(`./load-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(entry, { workerData: url, stdout: true, stderr: true, execArgv: [] });
  const { promise, resolve: answer } = Promise.withResolvers<Problem | undefined>();
  const late = `takes longer than ${loadWithinMs / 1000} s to load: keep its top level to declarations.`;
  let timer: NodeJS.Timeout | undefined;
  worker.on('message', (message) => {
    const { begun, problem } = workerMessage.parse(message);
    if (begun) timer = setTimeout(() => answer({ why: late }), loadWithinMs);
    else answer(problem);
  });
  worker.on('error', (error) => answer({ why: whyNot(error), line: lineOf(error, url) }));
  worker.on('exit', (code) => answer({ why: `exits with code ${code} while loading. Remove that call.` }));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

interface Imported {
  readonly loaded?: Readonly<Record<string, unknown>>;
  readonly problem?: Problem;
}

export async function importFile(url: string): Promise<Imported> {
  readAsModule(url);
  try {
    return { loaded: exportsOf.parse({ ...(await import(url)) }) };
  } catch (error) {
    return { problem: { why: whyNot(error), line: lineOf(error, url) } };
  }
}

const exportsOf = z.record(z.string(), z.unknown());

function whyNot(error: unknown): string {
  const [said = ''] = String(error instanceof Error ? error.message : error).split('\n');
  const why = said.slice(0, 300).replace(/(?<![.\s])[.\s]+$/u, '') || 'without a message';
  switch (errorCode(error) ?? '') {
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return `${why}: Node only strips types. Use const objects or string unions instead of enum and namespace, and plain fields instead of parameter properties.`;
    case 'ERR_INVALID_TYPESCRIPT_SYNTAX':
      return `is not valid TypeScript: ${why}. Fix it there.`;
    case 'ERR_MODULE_NOT_FOUND':
    case 'ERR_PACKAGE_PATH_NOT_EXPORTED':
      return `has an import that can't be resolved: ${why}. Available are 'bellhop', Node's built-in modules, and packages in a node_modules folder next to the file or above it. Import other files with their .ts extension.`;
    default:
      return error instanceof SyntaxError
        ? `is not valid: ${why}. Fix it there.`
        : `throws while loading: ${why}. Keep code that can fail out of its top level.`;
  }
}

function lineOf(error: unknown, url: string): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const text = `${error.stack ?? ''}\n${error.message}`;
  const at = text.indexOf(`${url}:`);
  const [, line] = at < 0 ? [] : (/^:(\d+)/u.exec(text.slice(at + url.length)) ?? []);
  return line === undefined ? undefined : Number(line);
}

/** A module hook can return only source text. That text takes the module `'bellhop'` from this global, for files in any folder. */
const shelf = Symbol.for('bellhop.operations');
const moduleUrl = 'bellhop:operations';
const moduleText = `const { ${Object.keys(surface).join(', ')} } = globalThis[Symbol.for('bellhop.operations')];
export { ${Object.keys(surface).join(', ')} };`;

/** Names the file that ended the process. Ending the process is a mistake, so the exit code becomes 1. */
function nameWhoExits(code: number): void {
  const hook = runningHook();
  if (!hook) return;
  process.stderr.write(`${hook.operation} (${hook.hook}) called process.exit(${code}). Remove that call.\n`);
  process.exitCode = 1;
}

const entries = new Set<string>();
/** `fetch` and `WebSocket`, for example, need no import. */
const takesClient = new Set<string>();
let registered = false;

/** The file is a module, whatever the package.json above it says. */
function readAsModule(url: string): void {
  entries.add(url);
  if (registered) return;
  registered = true;
  Object.defineProperty(globalThis, shelf, { value: surface });
  // A property added to these would appear in every object of Bellhop. Existing properties stay writable.
  for (const shared of [Object.prototype, Array.prototype]) Object.preventExtensions(shared);
  process.on('exit', nameWhoExits);
  watchGlobalClients();
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'bellhop') return { url: moduleUrl, format: 'module', shortCircuit: true };
      const found = next(specifier, context);
      noteImport(context.parentURL, found.url);
      if (found.url.includes('/node_modules/')) return found;
      if (/\.m?ts$/u.test(found.url)) return { ...found, format: 'module-typescript' };
      return entries.has(found.url) ? { ...found, format: 'module' } : found;
    },
    load: (found, context, next) =>
      found === moduleUrl
        ? { format: 'module', source: moduleText, shortCircuit: true }
        : next(found, context),
  });
}
