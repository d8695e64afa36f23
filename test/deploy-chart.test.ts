import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

import { isUnverifiedDatabase } from '../src/text/host.ts';
import { allVariables } from '../src/config/environment/variables.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** The settings of the image, the unit or the chart, and those of the playground. */
const settled =
  /^(?:NODE_ENV|HOST|PORT|DATA_DIR|BELLHOP_CONFIG|BELLHOP_SECRETS_DIR|NODE_TLS_REJECT_UNAUTHORIZED|LOCAL_\w+)$/u;

it('deploy/bellhop.env.example has every setting that is left to the operator', () => {
  const names = [...read('deploy/bellhop.env.example').matchAll(/^#?([A-Z_]+)=/gmu)].map(([, name]) => name);
  const expected = Object.keys(allVariables.shape).filter((name) => !settled.test(name));
  expect(names).toEqual(expect.arrayContaining(expected));
});

it('deploy/bellhop.env.example has every secret that the example of bellhop.yaml names', () => {
  const example = read('examples/bellhop.example.yaml').replaceAll(/^ *#.*$/gmu, '');
  const named = [...example.matchAll(/secret:([a-z-]+)/gu)].map(([, name = '']) => name);
  expect(named).toContain('alertmanager-hook');
  for (const name of named) {
    expect(read('deploy/bellhop.env.example')).toContain(
      `\n#BELLHOP_SECRET_${name.toUpperCase().replaceAll('-', '_')}=`,
    );
  }
});

it('every PostgreSQL address in the deployment files is accepted in production', () => {
  const files = ['bellhop.env.example', 'helm/values.yaml'].map((name) => read(`deploy/${name}`));
  const addresses = files.flatMap((text) => text.match(/postgresql:\/\/\S+/gu) ?? []);
  expect(addresses).toHaveLength(2);
  expect(addresses.filter(isUnverifiedDatabase)).toEqual([]);
  const composed = z
    .object({
      services: z.record(z.string(), z.object({ environment: z.record(z.string(), z.string()).optional() })),
    })
    .parse(parse(read('compose.yaml'), { merge: true }));
  const connecting = Object.values(composed.services).filter(
    ({ environment }) => environment?.['DATABASE_URL'],
  );
  expect(connecting.map(({ environment }) => environment?.['DATABASE_TLS'])).toEqual(['off', 'off', 'off']);
});

const helm = (...args: readonly string[]) => spawnSync('helm', args, { cwd: root, encoding: 'utf8' });

describe('the Helm chart', () => {
  const values = z.record(z.string(), z.unknown()).parse(parse(read('deploy/helm/values.yaml')));
  const schema = z
    .object({ properties: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(read('deploy/helm/values.schema.json')));

  it('knows each value that it has, besides those that Helm hands to every chart', () => {
    const own = Object.keys(schema.properties).filter((name) => name !== 'global');
    expect(own.toSorted()).toEqual(Object.keys(values).toSorted());
  });

  it('is the version of the package', () => {
    const version = z.object({ version: z.string() }).parse(JSON.parse(read('package.json'))).version;
    expect(parse(read('deploy/helm/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it('changes the tables as their owner before a replica starts, in pods that no Service selects', () => {
    const job = read('deploy/helm/templates/migrate.yaml');
    expect(job).toContain('helm.sh/hook: pre-install,pre-upgrade\n');
    expect(job).toContain(
      'secretKeyRef: { name: {{ .Values.migrate.secretName | quote }}, key: DATABASE_URL }',
    );
    expect(job).not.toContain('include "bellhop.labels"');
    const { migrate, secretName } = z
      .object({ migrate: z.object({ secretName: z.string() }), secretName: z.string() })
      .parse(values);
    expect(migrate.secretName).not.toBe(secretName);
  });

  it('mounts your own authorities where the tables are changed and where Bellhop runs', () => {
    for (const template of ['migrate', 'deployment']) {
      const text = read(`deploy/helm/templates/${template}.yaml`);
      expect(text).toContain('- { name: ca, mountPath: /ca, readOnly: true }');
      expect(text).toContain('{ name: NODE_EXTRA_CA_CERTS, value: /ca/ca.pem }');
    }
  });

  it('restarts the replicas if the Secret has changed, and needs no Secret if files have the settings', () => {
    const deployment = read('deploy/helm/templates/deployment.yaml');
    expect(deployment).toContain('lookup "v1" "Secret" .Release.Namespace (.Values.secretName');
    expect(deployment).toContain(
      '        {{- with $secret }}\n        checksum/secret: {{ toJson . | sha256sum }}\n',
    );
    expect(deployment).toMatch(/with \.Values\.secretName \}\}\n +envFrom:/u);
  });

  it('has a service account for the replicas, and none of its own for the Job that runs before it exists', () => {
    expect(read('deploy/helm/templates/deployment.yaml')).toContain(
      '{{- with include "bellhop.serviceAccount" . }}',
    );
    const job = read('deploy/helm/templates/migrate.yaml');
    expect(job).toContain('{{- with .Values.migrate.serviceAccountName }}');
    expect(job).not.toContain('bellhop.serviceAccount');
  });

  it.each(['extraVolumes', 'extraVolumeMounts'])('passes on %s, and nothing if there are none', (name) => {
    const deployment = read('deploy/helm/templates/deployment.yaml');
    expect(deployment).toMatch(new RegExp(`with \\.Values\\.${name} \\}\\}\\n +\\{\\{- toYaml`, 'u'));
    expect(values[name]).toEqual([]);
  });

  const ingressController = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } },
  };
  const installed = helm('version').status === 0;
  const render = (...args: readonly string[]) => helm('template', 'it', 'deploy/helm', ...args);

  it.runIf(installed)('renders two replicas that own nothing and write nowhere', () => {
    const policy = `${read('examples/bellhop.example.yaml')}audit: { key: secret:audit-key, channel: C0OPS }\n`;
    const file = join(temporaryFolder(), 'bellhop.yaml');
    writeFileSync(file, policy);
    const { stdout } = render(
      '--set-file',
      `policy=${file}`,
      '--set',
      'ingress.host=bot.example.com',
      '--set-json',
      `networkPolicy.from=${JSON.stringify([ingressController])}`,
    );
    const objects = parseAllDocuments(stdout, { merge: true });
    const kinds = objects.map((document) => z.looseObject({ kind: z.string() }).parse(document.toJS()));
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ]);
    expect(kinds.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({
      data: { 'bellhop.yaml': policy },
    });
    expect(kinds.find(({ kind }) => kind === 'Deployment')).toMatchObject({
      spec: {
        replicas: 2,
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                envFrom: [{ secretRef: { name: 'bellhop' } }],
                securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
              },
            ],
          },
        },
      },
    });
  });

  it('gives a start that waits for PostgreSQL or Slack more time than they need to come back', () => {
    const [, period, failures] =
      /startupProbe:(?:\n +#.*)*\n +httpGet:.*\n +periodSeconds: (\d+)\n +failureThreshold: (\d+)\n/u.exec(
        read('deploy/helm/templates/deployment.yaml'),
      ) ?? [];
    expect(Number(period) * Number(failures)).toBeGreaterThanOrEqual(3600);
  });

  it.runIf(installed)('renders a service account, more volumes and an address for both families', () => {
    const file = join(temporaryFolder(), 'values.yaml');
    const own = {
      policy: 'audit: { key: secret:audit-key }',
      dataClaim: 'bellhop-data',
      secretName: '',
      env: { HOST: '::' },
      serviceAccount: { create: true, annotations: { 'example.com/role': 'bellhop' } },
      extraVolumes: [{ name: 'vault', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'vault', mountPath: '/vault', readOnly: true }],
    };
    writeFileSync(file, JSON.stringify(own));
    const objects = parseAllDocuments(render('--values', file).stdout).map((document) =>
      z.looseObject({ kind: z.string() }).parse(document.toJS()),
    );
    const annotations = own.serviceAccount.annotations;
    expect(objects).toContainEqual(
      expect.objectContaining({
        kind: 'ServiceAccount',
        metadata: expect.objectContaining({ annotations }) as object,
      }),
    );
    const text = JSON.stringify(objects.find(({ kind }) => kind === 'Deployment'));
    for (const part of [
      '"serviceAccountName":"it-bellhop"',
      '{"name":"HOST","value":"::"}',
      '"mountPath":"/vault"',
      '{"name":"data","mountPath":"/data"}',
      '{"name":"data","persistentVolumeClaim":{"claimName":"bellhop-data"}}',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('envFrom');
  });

  it.runIf(installed)('says what is missing, and what it does not know', () => {
    expect(render().stderr).toContain('--set-file policy=bellhop.yaml');
    expect(render('--set', 'policy=x', '--set', 'replica=3').stderr).toContain('replica');
    expect(render('--set', 'policy=project: 1').stderr).toContain('audit: { key: secret:audit-key }');
    const forgetful = 'policy=audit: { key: secret:audit-key }';
    expect(render('--set', forgetful).stderr).toContain(
      'put audit.publish, audit.witnesses or audit.channel',
    );
    expect(render('--set', forgetful, '--set', 'dataClaim=x').status).toBe(0);
  });

  it.runIf(installed)('lets no pod connect that is not named', () => {
    const policy = ['--set', 'policy=audit: { key: secret:audit-key }', '--set', 'dataClaim=x'];
    const ingress = (...args: readonly string[]) =>
      parseAllDocuments(render(...policy, ...args).stdout)
        .map((document) =>
          z.looseObject({ kind: z.string(), spec: z.unknown().optional() }).parse(document.toJS()),
        )
        .find(({ kind }) => kind === 'NetworkPolicy')?.spec;
    expect(ingress()).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(ingress()).not.toHaveProperty('ingress');
    const from = ['--set-json', `networkPolicy.from=${JSON.stringify([ingressController])}`];
    expect(ingress(...from)).toMatchObject({ ingress: [{ from: [ingressController] }] });
    for (const needed of ['ingress.host=bot.example.com', 'serviceMonitor.enabled=true'])
      expect(render(...policy, '--set', needed).stderr).toContain('networkPolicy.from is empty');
  });
});
