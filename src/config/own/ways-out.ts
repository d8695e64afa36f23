import { noteOwnClient } from '../../bellhop/own-hook.ts';

/** These reach nothing outside of this process. */
const harmless: ReadonlySet<string> = new Set([
  'node:assert',
  'node:buffer',
  'node:crypto',
  'node:events',
  'node:path',
  'node:perf_hooks',
  'node:querystring',
  'node:string_decoder',
  'node:timers',
  'node:timers/promises',
  'node:url',
  'node:util',
]);

/** By URL. */
const imports = new Map<string, Set<string>>();

export function noteImport(from: string | undefined, to: string): void {
  if (from !== undefined) imports.getOrInsertComputed(from, () => new Set()).add(to);
}

/** Includes imports through files of its own. */
export function hasWayOut(url: string, seen = new Set<string>()): boolean {
  if (seen.has(url)) return false;
  seen.add(url);
  if (url.startsWith('node:')) return !harmless.has(url);
  return url.includes('/node_modules/') || [...(imports.get(url) ?? [])].some((one) => hasWayOut(one, seen));
}

export function watchGlobalClients(): void {
  const clients = [
    [globalThis, 'fetch'],
    [globalThis, 'WebSocket'],
    [globalThis, 'EventSource'],
    [process, 'getBuiltinModule'],
  ] as const;
  for (const [holder, name] of clients) {
    const given = Object.getOwnPropertyDescriptor(holder, name);
    if (!given) continue;
    Object.defineProperty(holder, name, {
      configurable: true,
      enumerable: given.enumerable ?? false,
      get: () => {
        noteOwnClient();
        const client: unknown = given.get ? given.get.call(holder) : given.value;
        return client;
      },
      set: (value: unknown) => {
        Object.defineProperty(holder, name, { value, configurable: true, writable: true });
      },
    });
  }
}
