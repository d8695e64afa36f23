/** A change of a load balancer that does, and undoes, whatever its number says, and a read of it. */
export const balancer = `
import { EventEmitter } from 'node:events';
import { notSent, operation, refused, z } from 'bellhop';

const host = z.string().max(60).describe('The load balancer.').meta({ positional: true, target: 'balancer' });
const state: Record<string, string> = { weight: '1' };
let wrong = 0;

export const drain = operation({
  name: 'lb.drain',
  summary: 'Drain a load balancer.',
  risk: 'destructive',
  input: z.strictObject({
    host,
    how: z.string().max(40).describe('What it comes to.').meta({ positional: true }),
  }),
  examples: ['/lb drain front fine'],
  effect: ({ how }, target) => \`\${target.name} ends as \${how}.\`,
  preview: async ({ how }, target, { http, secret }) => {
    if (how === 'preview-wrong') return (target as any).settings.pools.map(String);
    if (how === 'preview-slow') await new Promise(() => {});
    return [{ label: 'Sends', value: \`\${how} to \${target.settings.address}\`, isCall: true }];
  },
  run: async ({ how }, { target, confirmed, http, secret, signal, maySend }) => {
    const service = () =>
      http(String(target.settings.address), { headers: { authorization: \`Bearer \${secret('lb')}\` } });
    switch (how) {
      case 'fine':
        return { confirmed, signal: signal.aborted, may: maySend(), target };
      case 'nothing':
        return undefined;
      case 'wrong':
        return (target as any).settings.pools.map(String);
      case 'refused':
        throw refused('It is drained already.');
      case 'not-sent':
        throw notSent('The pool is locked.');
      case 'throws':
        throw new Error('kaboom with ' + secret('lb'));
      case 'never':
        await new Promise(() => {});
        return undefined;
      case 'blocks': {
        const end = Date.now() + 2500;
        while (Date.now() < end);
        return undefined;
      }
      case 'forgets':
        Promise.reject(new Error('a promise without await'));
        return undefined;
      case 'timer':
        setTimeout(() => {
          throw new Error('a timer of the file');
        }, 1);
        return undefined;
      case 'emitter':
        setTimeout(() => new EventEmitter().emit('error', new Error('an emitter of the file')), 1);
        return undefined;
      case 'dies':
        process.kill(process.pid, 'SIGKILL');
        return undefined;
      case 'sees-wrong':
        wrong = 1;
        throw new Error('the answer was lost');
      case 'moves':
        state.weight = '0';
        throw new Error('the answer was lost');
      case 'huge':
        return { rows: Array.from({ length: 100_000 }, (_, index) => ['line ' + index, index]) };
      case 'circular': {
        const circle: Record<string, unknown> = {};
        circle.self = circle;
        return { circle };
      }
      case 'look-500':
      case 'look-404':
        return service().get(\`/look/\${how.slice(5)}\`);
      case 'twice': {
        await service().send('POST', '/drain/200', { json: {} });
        return service().send('POST', '/drain/409', { json: {} });
      }
      default:
        return service().send('POST', \`/drain/\${how}\`, { json: { how }, schema: z.object({ ok: z.boolean() }) });
    }
  },
  report: (output: any, { target, input }) => {
    if (input.how === 'circular') return { title: output.circle, facts: output.circle } as any;
    if (input.how === 'nothing') return undefined as any;
    return {
      title: \`Drained \${target.name} <!channel>\`,
      headline: JSON.stringify(output)?.slice(0, 200),
      tables: output?.rows ? [{ caption: 'Rows', columns: [{ label: 'a' }, { label: 'b' }], rows: output.rows }] : [],
    };
  },
  observe: async () => (wrong-- > 0 ? (['wrong'] as any) : { ...state }),
});

export const look = operation({
  name: 'lb.look',
  summary: 'Look at a load balancer.',
  risk: 'read',
  input: z.strictObject({ host, path: z.string().max(60).default('200').describe('What to ask for.') }),
  run: async ({ path }, { target, http, secret }) =>
    http(target.settings.address).get(\`/look/\${path}\`, z.object({ ok: z.boolean() })).then((body) => ({ body, key: secret('lb') })),
  report: ({ body, key }, { target }) => ({ title: target.name, headline: \`\${body.ok} with \${key}\`, next: [
    { text: 'Drain…', words: \`/lb drain \${target.name} fine\`, severity: 'destructive' },
    { text: 'Explode…', words: '/lb explode', severity: 'destructive' },
  ] }),
});

export const helper = () => 1;
`;

export const rules = (address: string, more = ''): string => `
operations: [./operations/balancer.ts]
targets:
  balancer:
    front: { address: "${address}", labels: { env: staging } }
    back: { address: "${address}", labels: { env: production } }
roles:
  responders: { users: [U0ALICE] }
  leads: { users: [U0CAROL] }
rules:
  - { name: looks, risk: read, roles: [anyone], then: allow }
  - { name: production, operations: [lb.*], labels: { env: production }, roles: [responders], then: approve, approvers: [leads] }
  - { name: staging, operations: [lb.*], roles: [responders], then: confirm }
${more}`;
