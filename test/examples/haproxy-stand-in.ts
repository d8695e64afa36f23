import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { temporaryFolder } from '../temporary-folder.ts';
import type { Faulty } from './stand-in.ts';

/** The answer to a command at a runtime socket. */
export type Runtime = (command: string) => string | Promise<string>;

/** Answers as HAProxy 2.6.12 did, recorded on Debian 12, without the columns that are not read. */
export function haproxyStandIn(): Runtime {
  const states = new Map([
    ['web-1', 'UP'],
    ['web-2', 'UP'],
  ]);
  return (command) => {
    if (command === 'show stat web 4 -1') {
      const rows = [...states].map(([name, state]) => `web,${name},0,${state},1,30,127.0.0.1:8081,http,`);
      return `# pxname,svname,scur,status,weight,lastchg,addr,mode,\n${rows.join('\n')}\n\n`;
    }
    if (command.startsWith('show stat ')) return 'No such proxy.\n\n';
    const [, name = '', state] = /^set server web\/(\S+) state (drain|ready)$/u.exec(command) ?? [];
    if (!states.has(name)) return 'No such server.\n\n';
    states.set(name, state === 'drain' ? 'DRAIN' : 'UP');
    return '\n';
  };
}

/** The real HAProxy in place of a stand-in. */
export const runtimeAt =
  (socket: string): Runtime =>
  async (command) => {
    const stream = connect({ path: socket }).setEncoding('utf8');
    stream.write(`${command}\n`);
    let text = '';
    for await (const part of stream) text += String(part);
    return text;
  };

/** Serves a runtime socket. A 4xx is a refusal in words, and a 5xx a socket that closes without an answer. */
export async function serveRuntime(answer: Runtime): Promise<Faulty> {
  const changes: string[] = [];
  const path = join(temporaryFolder(), 'runtime.sock');
  const server = createServer((stream) => {
    stream.on('error', () => undefined);
    stream.setEncoding('utf8').once('data', (line: string) => {
      void reply(line.trim()).then(
        (text) => (text === undefined ? undefined : stream.end(text)),
        () => stream.destroy(),
      );
    });
  });
  const reply = async (command: string): Promise<string | undefined> => {
    const isChange = command.startsWith('set ');
    const fault = isChange ? faulty.fault : undefined;
    if (isChange) {
      changes.push(command);
      faulty.fault = undefined;
    }
    const text = fault && !fault.effect ? '' : await answer(command);
    if (!fault) return text;
    if (fault.end === 'hangs') {
      faulty.hangs = true;
      return undefined;
    }
    return fault.end === 'resets' || fault.end >= 500 ? '' : `It says ${fault.end}.\n\n`;
  };
  await once(server.listen(path), 'listening');
  const faulty: Faulty = {
    address: path,
    changes,
    fault: undefined,
    hangs: false,
    close: () => Promise.resolve(void server.close()),
  };
  onTestFinished(() => faulty.close());
  return faulty;
}
