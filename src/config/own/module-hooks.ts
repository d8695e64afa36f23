import { registerHooks } from 'node:module';

import { notSent, operation, refused, z } from '../../bellhop/bellhop.ts';

/** The module `'bellhop'` for files in any folder, in sources and in the built program. */
const surface = { notSent, operation, refused, z };

/** A module hook can return only source text, which takes the module from this global. */
const shelf = Symbol.for('bellhop.operations');
const moduleUrl = 'bellhop:operations';
const moduleText = `const { ${Object.keys(surface).join(', ')} } = globalThis[Symbol.for('bellhop.operations')];
export { ${Object.keys(surface).join(', ')} };`;

const entries = new Set<string>();
let registered = false;

/** Makes `'bellhop'` importable, and treats the operations file as a module, whatever package.json is above it. */
export function readAsModule(url: string): void {
  entries.add(url);
  if (registered) return;
  registered = true;
  Object.defineProperty(globalThis, shelf, { value: surface });
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'bellhop') return { url: moduleUrl, format: 'module', shortCircuit: true };
      const found = next(specifier, context);
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
