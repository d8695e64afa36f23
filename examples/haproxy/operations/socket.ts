import { connect } from 'node:net';

import { notSent, refused, z } from 'bellhop';

const settings = z.object({ socket: z.string(), backend: z.string() });
export type Settings = z.infer<typeof settings>;

/** HAProxy's own names. Without this check, a name such as `web; shutdown` would be another command. */
const nameInHaproxy = /^[A-Za-z0-9_.:-]{1,100}$/u;

export function settingsOf({ settings: given }: { readonly settings: unknown }): Settings {
  const { socket, backend } = settings.parse(given);
  return { socket, backend: checked(backend) };
}

function checked(name: string): string {
  if (nameInHaproxy.test(name)) return name;
  throw notSent(`“${name}” is not a name of HAProxy, which has only letters, digits, “.”, “_”, “:” and “-”.`);
}

export interface Server {
  readonly name: string;
  /** For example `UP`, `DOWN`, `DRAIN`, `MAINT` and `no check`. */
  readonly status: string;
  readonly sessions: number;
  readonly weight: string;
  readonly address: string;
  /** Seconds since the last change of the status. */
  readonly seconds: number;
}

const largestAnswer = 1024 * 1024;

/** Sends one command. Resolves to its whole answer, which ends with an empty line. */
function ask(socket: string, command: string, signal: AbortSignal, maySend = () => true): Promise<string> {
  return new Promise((resolve, reject) => {
    let [text, sent] = ['', false];
    const stream = connect({ path: socket });
    const stop = (): void => void stream.destroy(new Error('The socket did not answer in time'));
    signal.addEventListener('abort', stop, { once: true });
    stream.setEncoding('utf8');
    stream.on('connect', () => {
      if (!maySend()) return void stream.destroy(notSent('Bellhop lost the request before it was sent.'));
      sent = true;
      stream.write(`${command}\n`);
    });
    stream.on('data', (part: string) => {
      text += part;
      if (text.length > largestAnswer) stream.destroy(new Error('The answer is too large'));
    });
    stream.on('error', (error) => reject(sent ? error : notSent(`${socket}: ${error.message}.`, error)));
    stream.on('close', () => {
      signal.removeEventListener('abort', stop);
      if (text === '\n' || text.endsWith('\n\n')) resolve(text.trim());
      else reject(new Error('HAProxy closed its socket without a whole answer'));
    });
  });
}

/** The servers of a backend, or the one of this name. */
export async function servers(
  { socket, backend }: Settings,
  signal: AbortSignal,
  name?: string,
): Promise<readonly Server[]> {
  const text = await ask(socket, `show stat ${backend} 4 -1`, signal);
  const [header = '', ...lines] = text.split('\n');
  if (!header.startsWith('# ')) throw refused(`HAProxy says: ${header}`);
  const columns = header.slice(2).split(',');
  const found = lines.map((line) => {
    const values = line.split(',');
    const of = (column: string): string => values[columns.indexOf(column)] ?? '';
    return {
      name: of('svname'),
      status: of('status'),
      sessions: Number(of('scur')),
      weight: of('weight'),
      address: of('addr'),
      seconds: Number(of('lastchg')),
    };
  });
  return name === undefined ? found : found.filter((one) => one.name === name);
}

export async function server(of: Settings, name: string, signal: AbortSignal): Promise<Server> {
  const [found] = await servers(of, signal, checked(name));
  if (!found) throw refused(`HAProxy's backend ${of.backend} has no server ${name}.`);
  return found;
}

/** HAProxy answers a change that it made with an empty line, and any other with the reason. */
export async function setState(
  { socket, backend }: Settings,
  name: string,
  state: 'drain' | 'ready',
  { signal, maySend }: { readonly signal: AbortSignal; readonly maySend: () => boolean },
): Promise<void> {
  const answer = await ask(socket, commandOf(backend, name, state), signal, maySend);
  if (answer !== '') throw refused(`HAProxy says: ${answer}`);
}

export const commandOf = (backend: string, name: string, state: 'drain' | 'ready'): string =>
  `set server ${backend}/${checked(name)} state ${state}`;
