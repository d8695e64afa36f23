import { isIP } from 'node:net';

import type { Config } from '../config.ts';
import { readPort, type Settings } from './settings.ts';

export type Listening = Pick<Config, 'host' | 'port' | 'localPort' | 'localServicePort'>;

/** Where Bellhop and what is local listen. Two of them on one port is a problem, unless it is 0. */
export function readListening(settings: Settings, local: { slack: boolean; service: boolean }): Listening {
  const listening = {
    host: readHost(settings),
    port: readPort(settings, 'PORT', 3000),
    localPort: readPort(settings, 'LOCAL_PORT', 4000),
    localServicePort: readPort(settings, 'LOCAL_SERVICE_PORT', 4100),
  };
  const taken = new Map([[listening.port, 'PORT']]);
  if (local.slack) claim(settings, taken, 'LOCAL_PORT', listening.localPort);
  if (local.service) claim(settings, taken, 'LOCAL_SERVICE_PORT', listening.localServicePort);
  return listening;
}

function claim(settings: Settings, taken: Map<number, string>, name: string, port: number): void {
  const other = taken.get(port);
  if (other !== undefined && port !== 0) {
    settings.problem(name, `is the same port as ${other} (${port}): give each its own.`);
  }
  taken.set(port, name);
}

function readHost(settings: Settings): string {
  const host = settings.value('HOST') ?? '127.0.0.1';
  if (isIP(host) || /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/u.test(host)) return host;
  settings.problem(
    'HOST',
    'is not a host: give a name or an IP address alone, such as 0.0.0.0; the port is PORT.',
  );
  return host;
}
