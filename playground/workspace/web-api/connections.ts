import { z } from 'zod';
import { method, MethodError, type Method } from './method.ts';

const apiTest = method({
  name: 'api.test',
  token: 'any',
  scopes: [],
  input: z.looseObject({ error: z.string().optional() }),
  run(_workspace, input) {
    if (input.error !== undefined) throw new MethodError(input.error, { fields: { args: input } });
    return { args: input };
  },
});

/** @param socketUrl a fresh WebSocket URL */
export function connectionMethods(socketUrl: () => string): Method[] {
  const open = method({
    name: 'apps.connections.open',
    token: 'app',
    scopes: [],
    input: z.object({}),
    run: () => ({ url: socketUrl() }),
  });
  return [apiTest, open];
}
