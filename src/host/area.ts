import type { Operation } from '../model/operation.ts';
import type { Command } from '../program/run-program.ts';
import type { CallOptions, ServiceClientOptions } from '../service/client.ts';
import type { Transport } from '../service/http/transport.ts';
import type { CommandPorts } from './feature.ts';

export interface ConfigPorts extends Pick<CommandPorts, 'usualRulebook'> {
  /** The path of bellhop.yaml, as configured. */
  readonly usualFile: () => string;
}

/** An area of the service's interface. All of it lies in one folder, and `src/areas/index.ts` lists it. */
export interface Area {
  /** The name of the area in endpoints, metrics and `/readyz`. */
  readonly name: string;
  readonly calls: (transport: Transport, options: CallOptions) => object;
  /** In the order of help and docs/commands.md. */
  readonly operations: readonly Operation[];
  /** Reads once, to try out an address, a key and a place. Resolves to what was found. @throws ServiceError */
  readonly tryOut?: (
    options: ServiceClientOptions,
    place: { readonly project: number; readonly region: number },
  ) => Promise<string>;
  /** Commands of `npm run config`. */
  readonly configCommands?: (outside: ConfigPorts) => Readonly<Record<string, Command>>;
}
