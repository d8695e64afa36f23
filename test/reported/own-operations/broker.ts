// Operations as a team writes them to restart a RabbitMQ node with its management API 4.1. The labels of a target say
// what its callbacks do.
import { operation, type Target, z } from 'bellhop';

const states = new Map<string, string>();
/** Names of called targets and callbacks, for the tests. */
export const called: string[] = [];

const faultOf = (seen: Readonly<Record<string, string>>): string => seen['fault'] ?? '';

const broken = (what: string): never => {
  throw new TypeError(`Cannot read properties of undefined (reading '${what}')`);
};

export const restart = operation({
  name: 'broker.restart',
  summary: 'Restart a node of the broker.',
  risk: 'destructive',
  input: z.strictObject({
    node: z.string().max(60).describe('The node.').meta({ positional: true, target: 'node' }),
  }),
  examples: ['/broker restart one'],
  run: async (_input, { target }) => {
    called.push(target.name);
    states.set(target.name, 'running');
    return { state: 'booting' };
  },
  observe: async ({ target }: { readonly target: Target }) => ({
    state: states.get(target.name) ?? 'running',
    fault: target.labels['fault'] ?? '',
  }),
  sighting: () => broken('sighting'),
  watch: {
    returns: true,
    progress: (seen) => {
      if (faultOf(seen) === 'progress') return broken('progress');
      return seen['state'] === 'running' ? 'there' : 'on its way';
    },
    answered: ({ state }) => {
      called.push('answered');
      return { state };
    },
    there: () => broken('there'),
    words: () => broken('words'),
  },
});
