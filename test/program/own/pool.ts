/** Operations of a service with states, jobs and members, called with `context.http`. */
export const pool = `
import { operation, z } from 'bellhop';

const input = z.strictObject({
  pool: z.string().max(60).describe('The pool.').meta({ positional: true, target: 'pool' }),
});
const state = z.object({ state: z.string() });

export const start = operation({
  name: 'pool.start', summary: 'Start a pool.', risk: 'change', input,
  run: async (_, { http, target }) => http(target.settings.url).send('POST', \`/\${target.name}/start\`),
  observe: async ({ http, target }) => http(target.settings.url).get(\`/\${target.name}\`, state),
  watch: {
    returns: false,
    progress: ({ state }) => (state === 'up' ? 'there' : state === 'broken' ? 'broken' : 'on its way'),
    there: (target) => \`\${target.name} is up\`,
    words: ({ state }) => \`state \${state}\`,
  },
});

const job = z.object({ id: z.string(), done: z.boolean(), at: z.number(), by: z.string() });
const taskOf = ({ id, done, at, by }: z.output<typeof job>) => ({
  id,
  state: done ? ('finished' as const) : ('open' as const),
  type: 'rotate',
  stateName: done ? 'DONE' : 'WORKING',
  created: { from: at, to: at },
  user: by,
});

export const rotate = operation({
  name: 'pool.rotate', summary: 'Rotate the members of a pool.', risk: 'destructive', input,
  run: async (_, { http, target }) =>
    http(target.settings.url).send('POST', \`/\${target.name}/rotate\`, { schema: z.object({ jobs: z.array(z.string()) }) }),
  tasks: {
    started: ({ jobs }) => jobs,
    read: async (id, { http, target }) =>
      taskOf(await http(target.settings.url).get(\`/jobs/\${id}\`, job)),
    search: async (_, period, { http, target }) => {
      const all = await http(target.settings.url).get(\`/\${target.name}/jobs\`, z.array(job));
      return { tasks: all.map(taskOf), complete: true, named: true };
    },
    finished: (target) => \`\${target.name} has rotated\`,
  },
});

export const drain = operation({
  name: 'pool.drain', summary: 'Drain a pool.', risk: 'destructive', input,
  run: async (_, { http, target }) => http(target.settings.url).send('POST', \`/\${target.name}/drain\`),
  isRunning: async (target, { http }) =>
    (await http(target.settings.url).get(\`/\${target.name}\`, state)).state === 'up',
});

export const wait = operation({
  name: 'pool.wait', summary: 'Wait until time is up.', risk: 'change', input,
  run: async (_, { signal, target }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await fetch(\`\${target.settings.url}/\${target.name}/aborted\`, { method: 'POST' });
  },
});

export const look = operation({
  name: 'pool.look', summary: 'Look at a pool.', risk: 'read', input,
  run: async (_, { http, target }) => http(target.settings.url).get(\`/\${target.name}\`, state),
  report: ({ state }, { target }) => ({ title: \`\${target.name} is \${state}\` }),
});
`;

export const poolRules = (url: string, closed: string): string => `
operations: [./operations/pool.ts]
requests: { timeout: 2s, lease: 2s }
targets:
  pool:
    web: { url: "${url}" }
    worn: { url: "${url}" }
    jobs: { url: "${url}" }
    batch: { url: "${url}" }
    idle: { url: "${url}" }
    blue: { url: "${url}", labels: { tier: front } }
    green: { url: "${url}", labels: { tier: front } }
    gone: { url: "${closed}" }
roles:
  responders: { users: [U0ALICE] }
  leads: { users: [U0CAROL] }
rules:
  - { name: looks, risk: read, roles: [anyone], then: allow }
  - { name: pools, operations: [pool.*], roles: [responders], then: confirm }
guard:
  - { labels: { tier: front }, keep: 1, approvers: [leads] }
`;
