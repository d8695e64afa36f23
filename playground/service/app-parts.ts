import type { HttpBindings } from '@hono/node-server';
import type { Keys } from './http/authorization.ts';
import type { Extensions } from './http/match-endpoint.ts';
import type { Faults } from './faults/faults.ts';
import type { RequestLog } from './http/request-log.ts';
import type { Service } from './service.ts';

export interface ServiceAppParts {
  readonly service: Service;
  readonly keys: Keys;
  readonly extensions: Extensions;
  readonly faults: Faults;
  readonly requests: RequestLog;
  /** Fires when the service closes. */
  readonly closing: AbortSignal;
}

export interface AppEnv {
  Bindings: HttpBindings;
}
