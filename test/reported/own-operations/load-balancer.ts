// Operations as a team writes them for Hetzner's load balancers, API v1 (https://docs.hetzner.cloud). Each `how` is one
// way to fail.
import { notSent, operation, refused, z } from 'bellhop';

const balancer = z
  .string()
  .max(60)
  .describe('The load balancer.')
  .meta({ positional: true, target: 'balancer' });
const how = z.string().max(40).default('fine').describe('What happens.').meta({ positional: true });

const { console: terminal } = globalThis;

/** Long enough that a secret at its end is cut. */
const longLine = 'The service at the other end rejected the header: '.repeat(20);

export const look = operation({
  name: 'lb.look',
  summary: 'Show a load balancer.',
  risk: 'read',
  input: z.strictObject({ balancer, how }),
  examples: ['/lb look front'],
  run: async (input, { target, http, secret }) => {
    const key = secret('lb');
    const api = http(String(target.settings['url']), { headers: { authorization: `Bearer ${key}` } });
    switch (input.how) {
      case 'throws':
        throw new Error(`401 for token ${key}`);
      case 'refuses':
        throw refused(`The service does not know ${key}.`);
      case 'json':
        throw new Error(JSON.stringify({ headers: { authorization: key } }));
      case 'cut':
        throw new Error(`${longLine.slice(0, 290)}${key}`);
      case 'cut-refusal':
        throw refused(`${longLine.slice(0, 990)}${key}`);
      case 'changes-error':
        await api.get('/404').catch((error: Error) => {
          error.message += ` (${key})`;
          throw error;
        });
        break;
      case 'two-calls': {
        const slow = api.get('/slow-404');
        const fast = api.get('/404');
        return { answer: [await fast, await slow], key };
      }
      case 'bytes':
        throw refused(`It answers ${new TextDecoder().decode(await api.bytes('/200'))}`);
      case 'prints':
        terminal.log(key);
        terminal.info('%s', key);
        terminal.debug({ headers: { 'x-api-key': key } });
        terminal.warn(new Error(key));
        terminal.error([key]);
        terminal.dir({ key }, { depth: 1 });
        terminal.dirxml(key);
        terminal.table([{ key }]);
        terminal.trace(key);
        terminal.group(key);
        terminal.groupEnd();
        break;
      case 'left-alone':
        void api.get('/404');
        break;
      default:
    }
    return { answer: 'fine', key };
  },
  report: ({ key }, { input }) => {
    if (input.how === 'report-throws') throw new Error(`no field ${key}`);
    return {
      title: `Key ${key}`,
      headline: `${longLine.repeat(3).slice(0, 2990)}${key}`,
      facts: [{ label: key, value: key }],
      tables: [{ caption: key, columns: [{ label: key }], rows: [[`${longLine.slice(0, 490)}${key}`]] }],
      charts: [{ kind: 'line', title: key, unit: key, labels: [key], series: [{ name: key, values: [1] }] }],
      notes: [key],
      next: [{ text: `Again with ${key}`, words: `/lb look front ${key}`, severity: 'change' }],
      csv: { fileName: `${key}.csv`, columns: [key], rows: [[key]] },
      document: { fileName: `${key}.md`, text: key },
    };
  },
});

export const drain = operation({
  name: 'lb.drain',
  summary: 'Take a load balancer out.',
  risk: 'destructive',
  input: z.strictObject({ balancer, how }),
  examples: ['/lb drain front'],
  faults: ({ how: asked }) => (asked === 'check-hangs' ? new Promise(() => {}) : Promise.resolve([])),
  preview: (input, target, { secret }) => {
    if (input.how === 'preview-throws') throw new Error(`no ${secret('lb')}`);
    if (input.how === 'preview-wrong') throw new TypeError(`${secret('lb')} is not a function`);
    return [
      {
        label: secret('lb'),
        value: `PUT ${String(target.settings['url'])}?key=${secret('lb')}`,
        isCall: true,
      },
    ];
  },
  effect: (input, target) => {
    if (input.how === 'effect-throws') throw new Error('no effect');
    return `${target.name} ends.`;
  },
  run: async (input, { target, http, secret, maySend, signal }) => {
    const key = secret('lb');
    const api = http(String(target.settings['url']));
    switch (input.how) {
      case 'throws':
        throw new Error(`${key} is locked`);
      case 'send-again': {
        // The call hangs. At the deadline, the file tries once more.
        await api.send('POST', '/hangs').catch(() => undefined);
        return api.send('POST', '/200');
      }
      case 'hangs-and-closed': {
        const first = api.send('POST', '/hangs');
        await api.send('POST', '/started');
        await http(String(target.settings['closed'])).send('POST', '/200');
        return first;
      }
      case 'reset-and-refused':
        await api.send('POST', '/reset').catch(() => undefined);
        return api.send('POST', '/409');
      case 'refused-and-closed':
        await api.send('POST', '/409').catch(() => undefined);
        return http(String(target.settings['closed'])).send('POST', '/200');
      case 'own-client':
        if (!maySend()) return undefined;
        await fetch(`${String(target.settings['url'])}/200`, { method: 'POST', signal });
        return http(String(target.settings['closed'])).send('POST', '/200');
      case 'own-client-and-secret':
        await fetch(`${String(target.settings['url'])}/200`, { method: 'POST', signal });
        return secret('nothing-of-this-name');
      case 'own-client-not-awaited': {
        const sent = fetch(`${String(target.settings['url'])}/200`, { method: 'POST', signal });
        return [secret('nothing-of-this-name'), await sent];
      }
      case 'own-client-and-409':
        await fetch(`${String(target.settings['url'])}/200`, { method: 'POST', signal });
        return api.send('POST', '/409');
      case 'own-client-then-says':
        await fetch(`${String(target.settings['url'])}/200`, { method: 'POST', signal });
        throw notSent('The first call only opened a session.');
      case 'form':
        return api.send('POST', '/200', { form: { server: 'web 1&2', tag: ['a', 'b'], weight: 0 } });
      case 'merge-patch':
        return api.send('PATCH', '/200', { json: { replicas: 2 }, type: 'application/merge-patch+json' });
      case 'xml':
        return api.send('PUT', '/200', { text: '<off/>', type: 'text/xml; charset=utf-8' });
      case 'two-bodies':
        return api.send('PUT', '/200', { text: '<off/>', json: {}, type: 'text/xml' });
      case 'bad-type':
        return api.send('PUT', '/200', { text: 'x', type: 'text/xml\r\nx-admin: 1' });
      case 'no-type':
        return api.send('PUT', '/200', { text: 'x' });
      case 'large':
        return api.send('PUT', '/200', { text: 'x'.repeat(9_000_000), type: 'text/plain' });
      case 'closed':
        if (!maySend()) return undefined;
        return http(String(target.settings['closed'])).send('POST', '/200');
      case 'no-secret':
        return secret('nothing-of-this-name');
      default:
        return { key };
    }
  },
  report: (_output, { target }) => ({ title: `${target.name} is out` }),
});
