import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/**
 * @typedef {import('../protocol.ts').State} State
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./surface.js').SurfaceValue} SurfaceValue
 *
 * @typedef {Pick<State, 'people' | 'channels' | 'usergroups' | 'shortcuts' | 'app' | 'as' | 'team'>} Directory who and what ids stand for
 *
 * @typedef {object} Question words of a confirm object
 * @property {string} title
 * @property {import('@slack/types').TextObject} text
 * @property {string} confirm
 * @property {string} deny
 * @property {boolean} danger
 *
 * @typedef {object} Shell what a part of the page may ask of the whole
 * @property {Session} session
 * @property {(text: string) => void} say shows words to the person
 * @property {(question: Question) => Promise<boolean>} ask
 * @property {'light' | 'dark'} theme
 */

export const DirectoryContext = createContext(/** @type {Directory | undefined} */ (undefined));
export const ShellContext = createContext(/** @type {Shell | undefined} */ (undefined));
export const SurfaceContext = createContext(/** @type {SurfaceValue | undefined} */ (undefined));

/**
 * @template T
 * @param {import('preact').Context<T | undefined>} context
 * @returns {T}
 */
function provided(context) {
  const value = useContext(context);
  if (value === undefined) throw new Error('Drawn outside of the page: no context is provided here.');
  return value;
}

export const useDirectory = () => provided(DirectoryContext);
export const useShell = () => provided(ShellContext);
export const useSurface = () => provided(SurfaceContext);
