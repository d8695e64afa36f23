import { BellhopError, errorCode } from '../model/errors.ts';

/** What a person set to have it listen there. */
interface Listening {
  /** The setting of the port: `LOCAL_PORT`. */
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Starts what listens.
 * @throws BellhopError `configuration` with the setting to change, where the address cannot be had
 */
export async function withPort<T>(listening: Listening, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const problem = problemOf(errorCode(error) ?? '', listening);
    throw problem === undefined ? error : new BellhopError('configuration', problem, { cause: error });
  }
}

function problemOf(code: string, { setting, host, port }: Listening): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `${setting}: another program uses port ${port} of ${host}. Stop it (another Bellhop?), or set ${setting} to a free port.`;
    case 'EACCES':
      return `${setting}: this user may not listen on port ${port}. Set ${setting} to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${host} is no address of this machine. Set HOST to one, such as 127.0.0.1, or 0.0.0.0 for all of them.`;
    default:
      return undefined;
  }
}
