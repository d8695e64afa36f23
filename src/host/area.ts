import type { Operation } from '../model/operation.ts';
import type { Command } from '../program/run-program.ts';
import type { CallOptions, ServiceClientOptions } from '../service/client.ts';
import type { Transport } from '../service/http/transport.ts';
import type { CommandPorts } from './feature.ts';

export interface ConfigPorts extends Pick<CommandPorts, 'usualRulebook'> {
  readonly usualFile: () => string;
}

export interface TriedInstance {
  readonly called: string;
  readonly id: string;
  readonly project: number;
  readonly region: number;
}

/** All of an area is in one folder, and `src/areas/index.ts` lists it. */
export interface Area {
  /** As in endpoints, metrics and `/readyz`. */
  readonly name: string;
  readonly calls: (transport: Transport, options: CallOptions) => object;
  /** In the order of help and docs/commands.md. */
  readonly operations: readonly Operation[];
  /**
   * Reads, to try out an address, a key and an instance. Resolves to sentences about what was found and what was not checked.
   * @throws ServiceError, and BellhopError `unknown-target` if the instance does not exist
   */
  readonly tryOut?: (options: ServiceClientOptions, instance: TriedInstance) => Promise<string>;
  /** Commands of `npm run config`. */
  readonly configCommands?: (outside: ConfigPorts) => Readonly<Record<string, Command>>;
}
