import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import { clockPart } from '../src/app/health/clock-watch.ts';
import { createMetrics } from '../src/app/health/metrics.ts';
import { rulesPart } from '../src/app/health/observe-rules.ts';
import {
  keyPart,
  outgoingPart,
  scopesPart,
  signaturesPart,
  slackOutcome,
  tokenPart,
} from '../src/app/health/observe-calls.ts';
import { operationOutcome, rowsPart, sealingPart } from '../src/app/health/observe-store.ts';
import { features } from '../src/features/index.ts';
import { declaredKinds } from './due/declared-kinds.ts';
import { featureTests } from './features/index.ts';
import { openStates } from '../src/model/records/request.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

const ruleFile = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Bellhop[A-Za-z]+$/u),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), do: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});

const rules = ruleFile.parse(parse(read('deploy/alerts.yaml'))).groups.flatMap((group) => group.rules);

const series = /([a-z][a-z0-9_]*)(?:\{([^}]*)\})?/gu;

/** The metrics that an expression names, with the labels that it names of each. */
const named = (expr: string) =>
  [...expr.matchAll(series)]
    .map(([, metric = '', labels = '']) => ({
      metric,
      labels: [...labels.matchAll(/([a-z]+)(=~|!=|=)"([^"]*)"/gu)],
    }))
    .filter(({ metric }) => /^(?:bellhop|nodejs|process)_/u.test(metric));

const ofFeatures = (label: string): readonly string[] =>
  featureTests.flatMap(({ alertLabels = {} }) => alertLabels[label] ?? []);

const base = (metric: string): string => metric.replace(/_(?:bucket|sum|count)$/u, '');

describe('deploy/alerts.yaml', () => {
  it.each(rules.map((rule) => [rule.alert, rule.expr] as const))(
    '%s uses only metrics and labels that exist',
    async (_, expr) => {
      const { registry, declare } = createMetrics();
      for (const { metrics } of features) metrics?.(declare);
      const text = await registry.metrics();
      for (const { metric, labels } of named(expr)) {
        expect(text).toContain(`# TYPE ${base(metric)} `);
        for (const [, label = ''] of labels)
          expect(registry.getSingleMetric(base(metric))).toHaveProperty(
            'labelNames',
            expect.arrayContaining([label]),
          );
      }
    },
  );

  it('names values of labels that occur', () => {
    const values = new Map<string, ReadonlySet<string>>([
      [
        'part',
        new Set([
          tokenPart,
          rulesPart,
          rowsPart,
          ...ofFeatures('part'),
          sealingPart,
          keyPart('cloud'),
          signaturesPart,
          scopesPart,
          outgoingPart,
          clockPart,
        ]),
      ],
      ['state', new Set([...openStates, 'unknown'])],
      ['outcome', new Set(['unknown', slackOutcome('ratelimited'), ...ofFeatures('outcome')])],
      ['kind', new Set(['busy', ...declaredKinds])],
      ['hook', new Set(['unknown'])],
      ['result', new Set(ofFeatures('result'))],
      ['by', new Set(['bellhop', 'slack'])],
    ]);
    const plain = rules
      .flatMap(({ expr }) => named(expr))
      .flatMap(({ labels }) => labels)
      .filter(([, , comparison]) => comparison !== '=~');
    expect(plain.length).toBeGreaterThan(4);
    for (const [, label = '', , value = ''] of plain) expect(values.get(label)).toContain(value);
    const unknown = operationOutcome({ at: 1, event: 'ended', outcome: 'unknown', policyHash: '' });
    expect(unknown).toBe('unknown');
  });

  it.each(rules.map(({ alert, annotations }) => [alert, annotations.runbook_url] as const))(
    '%s links to its meaning, where to look and what to do',
    (alert, url) => {
      expect(url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      const [, section = ''] = read('docs/runbook.md').split(`\n## ${alert}\n\n`);
      const [lines = ''] = section.split('\n## ');
      expect(lines).toMatch(/^[A-Z][^]+?\n\n- \*\*Look\*\*: [^]+\n- \*\*Do\*\*[:,] /u);
    },
  );

  it('has a section in the runbook for each alert, in the order of their names, and no other', () => {
    const sections = [...read('docs/runbook.md').matchAll(/^## (Bellhop\w+)$/gmu)].map(([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  it('wakes no one for a part that does not take the replica out, and tells of it', () => {
    const page = rules.find(({ alert }) => alert === 'BellhopNotReady')?.expr;
    expect(page).toContain('{part=~"store|slack|running"}');
    const told = rules.filter(({ alert }) => /^Bellhop(?:RulesRefused|UnreadableRows)$/u.test(alert));
    expect(told.map(({ labels }) => labels.severity)).toEqual(['ticket', 'ticket']);
  });

  it('pages once for a log that is not sealed', () => {
    const sealing = rules.filter(({ expr }) => /sealing|unsealed/u.test(expr.replace(/part!="[^"]*"/gu, '')));
    expect(sealing.map(({ alert, labels }) => [alert, labels.severity])).toEqual([
      ['BellhopAuditUnsealed', 'page'],
    ]);
  });

  it.each(rules.map(({ alert, expr }) => [alert, expr] as const))('%s is one for all replicas', (_, expr) => {
    expect(expr).toMatch(/^(?:sum|count|min|max|histogram_quantile)\b/u);
    expect(expr).not.toMatch(/\b(?:instance|pod|replica)\b/u);
  });

  it('pages someone for problems that no one else will notice', () => {
    expect(rules.map(({ alert }) => alert)).toEqual(
      expect.arrayContaining([
        'BellhopDown',
        'BellhopUnknownOutcome',
        'BellhopSlackTokenRefused',
        'BellhopAuditContradicted',
      ]),
    );
  });
});

it('deploy/alerts.test.yaml expects what the rules say now, also where promtool does not look', () => {
  const said = new Map(rules.map(({ alert, annotations }) => [alert, annotations.do]));
  const expected = [
    ...read('deploy/alerts.test.yaml').matchAll(/ do: (.+)\n +runbook_url: \S+#(bellhop\w+)/gu),
  ];
  expect(expected.length).toBeGreaterThan(10);
  for (const [, text, anchor] of expected)
    expect([...said].find(([alert]) => alert.toLowerCase() === anchor)?.[1]).toBe(text);
});

describe('deploy/alertmanager.yml', () => {
  const text = read('deploy/alertmanager.yml');

  it('routes pages and tickets, and suppresses alerts that follow from a firing one', () => {
    const { route, inhibit_rules: inhibited } = z
      .object({
        route: z.object({
          routes: z.array(z.object({ matchers: z.array(z.string()), receiver: z.string() })),
        }),
        inhibit_rules: z.array(
          z.object({ source_matchers: z.array(z.string()), target_matchers: z.array(z.string()) }),
        ),
      })
      .parse(parse(text));
    expect(route.routes.map(({ matchers, receiver }) => [matchers[1], receiver])).toEqual([
      ['severity="page"', 'on-call'],
      ['severity="ticket"', 'tickets'],
    ]);
    const matchers = inhibited.flatMap((rule) => Object.values(rule).flat());
    const alerts = matchers.flatMap((matcher) => matcher.match(/Bellhop[A-Za-z]+/gu) ?? []);
    expect(rules.map(({ alert }) => alert)).toEqual(expect.arrayContaining(alerts));
  });
});

/** Of Debian's package prometheus, or Prometheus's own image. */
const promtool = (...args: readonly string[]) =>
  spawnSync('promtool', args, { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' });

it.runIf(promtool('--version').status === 0)(
  'fires when it should, says promtool where it is installed',
  () => {
    const { status, stdout, stderr } = promtool('test', 'rules', 'deploy/alerts.test.yaml');
    expect({ status, said: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
  },
);

describe('the image', () => {
  const dockerfile = read('Dockerfile');

  it('runs on the Node that npm brings everywhere else, by the digest of its image', () => {
    const { optionalDependencies } = z
      .object({ optionalDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const [version] = new Set(Object.values(optionalDependencies));
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gmu)].map(([, image = '']) => image.split('@'));
    expect(images).toEqual([images[1], images[0]]);
    expect(images[0]).toEqual([`node:${version}-slim`, expect.stringMatching(/^sha256:[0-9a-f]{64}$/u)]);
  });

  it('is given no more of the folder than it copies', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gmu)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    const letIn = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(letIn.toSorted()).toEqual([...new Set(copied)].toSorted());
    expect(read('.dockerignore').split('\n')).toContain('*');
  });
});

describe('the systemd unit', () => {
  it('starts Node as the image does, with a heap that fits into what a container may have', () => {
    const command = z.array(z.string()).parse(JSON.parse(/^CMD (.+)$/mu.exec(read('Dockerfile'))?.[1] ?? ''));
    expect(read('deploy/bellhop.service')).toContain(`=/bin/sh scripts/with-node ${command.join(' ')}\n`);
    const megabytes = (option: string): number =>
      Number(new RegExp(`--max-${option}-size=(\\d+)`, 'u').exec(command.join(' '))?.[1]);
    // The young generation has two semi-spaces. A third of that size is for its large objects.
    const heap = megabytes('old-space') + 3 * megabytes('semi-space');
    for (const [file, limit] of [
      ['compose.yaml', /mem_limit: (\d+)m/u],
      ['deploy/helm/values.yaml', /limits: \{ memory: (\d+)Mi \}/u],
    ] as const) {
      expect(heap).toBeLessThanOrEqual(Number(limit.exec(read(file))?.[1]) * 0.8);
    }
  });

  it('starts again after any end that systemd did not ask for, and leaves no memory on the disk', () => {
    const unit = read('deploy/bellhop.service').split('\n');
    expect(unit).toEqual(expect.arrayContaining(['Restart=always', 'LimitCORE=0']));
  });

  it('runs nothing but the shell, which every system has', () => {
    const commands = read('deploy/bellhop.service').match(/^Exec\w+=\S+/gmu);
    expect(commands).toEqual(['ExecStart=/bin/sh', 'ExecReload=/bin/sh']);
  });

  it('has folders of its own for what it keeps, and Node its cache in one', () => {
    const unit = read('deploy/bellhop.service').split('\n');
    expect(unit).toEqual(
      expect.arrayContaining([
        'StateDirectory=bellhop',
        'Environment=DATA_DIR=/var/lib/bellhop',
        'CacheDirectory=bellhop',
        'Environment=NODE_COMPILE_CACHE=/var/cache/bellhop',
      ]),
    );
  });
});

describe('compose.yaml', () => {
  const compose = z
    .looseObject({
      services: z.record(z.string(), z.looseObject({ read_only: z.boolean().optional() })),
      networks: z.record(z.string(), z.unknown()),
      volumes: z.record(z.string(), z.unknown()),
    })
    .parse(parse(read('compose.yaml'), { merge: true }));

  it('waits for the PostgreSQL that others reach, and gives up where a step fails each time', () => {
    // While the image creates the database, its server answers only on a Unix socket.
    expect(compose.services['postgres']?.['healthcheck']).toMatchObject({
      test: expect.arrayContaining(['pg_isready', '--host=127.0.0.1']) as unknown,
    });
    for (const step of ['roles', 'migrate'])
      expect(compose.services[step]).toMatchObject({ restart: 'on-failure:10' });
  });

  it('does not start without a password of its own for the owner and for the program', () => {
    const passwords = [...read('compose.yaml').matchAll(/\$\{(POSTGRES_\w+)([^}]*)\}/gu)];
    expect(new Set(passwords.map(([, name]) => name))).toEqual(
      new Set(['POSTGRES_PASSWORD', 'POSTGRES_OWNER_PASSWORD']),
    );
    for (const [, name, otherwise] of passwords)
      expect([name, otherwise]).toEqual([name, expect.stringMatching(/^:\?/u)]);
  });

  it('has two replicas alike on one database, which the proxy knows', () => {
    const replicas = Object.entries(compose.services).filter(([name]) => name.startsWith('bellhop-'));
    expect(replicas.map(([name]) => name)).toEqual(['bellhop-1', 'bellhop-2']);
    for (const [name, replica] of replicas) {
      expect(replica).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true });
      // A mounted file would stay the old one after an editor replaces the file. A mounted folder does not.
      expect(replica['volumes']).toEqual(['./config:/config:ro', `${name}:/data`]);
      expect(read('deploy/nginx.conf')).toContain(`server ${name}:3000 `);
    }
  });

  it('keeps what a replica remembers and the database in volumes with names, which “down” leaves', () => {
    expect(Object.keys(compose.volumes).toSorted()).toEqual(['bellhop-1', 'bellhop-2', 'postgres']);
    // A volume that the image declares and no service mounts has no name.
    const declared = [...read('Dockerfile').matchAll(/^VOLUME (\S+)$/gmu)].map(([, path]) => path);
    expect(declared).toEqual(['/data']);
    const ours = Object.entries(compose.services).filter(([, service]) => service['image'] === 'bellhop');
    expect(ours).toHaveLength(3);
    for (const [name, { volumes, tmpfs }] of ours)
      expect([name, JSON.stringify([volumes, tmpfs])]).toEqual([name, expect.stringMatching(/[":]\/data"/u)]);
  });

  it('has images by their digests, and no way from the proxy to PostgreSQL', () => {
    const images = [...read('compose.yaml').matchAll(/^ +image: (\S+)$/gmu)].map(([, image]) => image);
    for (const image of images.filter((name) => name !== 'bellhop'))
      expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/u);
    const networks = new Map(Object.entries(compose.services).map(([name, one]) => [name, one['networks']]));
    expect(networks.get('proxy')).toEqual(['front']);
    expect(networks.get('postgres')).toEqual(['back']);
    expect(compose.networks['back']).toEqual({ internal: true });
    expect([...networks.values()]).not.toContain(undefined);
  });
});

it('CI runs actions by the digest of a commit', () => {
  const actions = [...read('.github/workflows/ci.yml').matchAll(/uses: (\S+)/gu)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40}$/u);
});
