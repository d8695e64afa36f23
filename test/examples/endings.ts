import { z } from 'zod';

import { containersStandIn } from './containers-stand-in.ts';
import { argocdStandIn } from './argocd-stand-in.ts';
import { alertmanagerStandIn } from './alertmanager-stand-in.ts';
import { type ExampleOptions, type ExampleStage, openExample } from './example-stage.ts';
import { kubernetesStandIn } from './kubernetes-stand-in.ts';
import { haproxyStandIn, type Runtime, serveRuntime } from './haproxy-stand-in.ts';
import { type Answer, ask, type Faulty, serveStandIn } from './stand-in.ts';

/** A change of an example, on a service that has not been called yet. */
export interface Subject {
  readonly service: Faulty;
  readonly options: ExampleOptions;
  readonly stage: ExampleStage;
  readonly line: string;
  /** How often the change took effect. */
  readonly effects: () => Promise<number>;
  /** Someone else makes the same change. */
  readonly elsewhere: () => Promise<unknown>;
}

export interface Case {
  readonly name: string;
  readonly folder: string;
  /** Whether the service keeps the id of the request, which settles an unknown outcome. */
  readonly marked: boolean;
  readonly open: () => Promise<Subject>;
}

async function subject(
  service: Faulty,
  options: ExampleOptions,
  rest: Pick<Subject, 'line' | 'effects' | 'elsewhere'>,
): Promise<Subject> {
  return { service, options, stage: await openExample(options), ...rest };
}

const silences = z.array(
  z.object({ id: z.string(), createdBy: z.string(), status: z.object({ state: z.string() }) }),
);

/** @param open resolves to a stand-in or the real service, without silences */
export function alertmanagerCases(open: () => Promise<Answer>): readonly Case[] {
  const begin = async () => {
    const answer = await open();
    const service = await serveStandIn(answer);
    const now = Date.now();
    const options: ExampleOptions = {
      folder: 'alertmanager',
      addressed: (yaml) => yaml.replace('http://127.0.0.1:9093', service.address),
      now,
    };
    const list = async () => silences.parse(await ask(answer, 'GET', '/api/v2/silences'));
    const add = () =>
      ask(answer, 'POST', '/api/v2/silences', {
        matchers: [{ name: 'alertname', value: 'HighLatency', isRegex: false, isEqual: true }],
        startsAt: new Date(now).toISOString(),
        endsAt: new Date(now + 3_600_000).toISOString(),
        createdBy: 'bob',
        comment: 'deploy',
      });
    return { answer, service, options, list, add };
  };
  return [
    {
      name: 'am.silence',
      folder: 'alertmanager',
      marked: true,
      async open() {
        const { service, options, list, add } = await begin();
        return subject(service, options, {
          line: '/am silence HighLatency --for 2h',
          effects: async () => (await list()).filter(({ createdBy }) => createdBy === 'U0ALICE').length,
          elsewhere: add,
        });
      },
    },
    {
      name: 'am.expire',
      folder: 'alertmanager',
      marked: false,
      async open() {
        const { answer, service, options, list, add } = await begin();
        await add();
        const id = (await list())[0]?.id ?? '';
        let others = 0;
        return subject(service, options, {
          line: `/am expire ${id}`,
          effects: async () =>
            (await list()).filter(({ status }) => status.state === 'expired').length - others,
          elsewhere: () => {
            others = 1;
            return ask(answer, 'DELETE', `/api/v2/silence/${id}`);
          },
        });
      },
    },
  ];
}

/** @param open resolves to a stand-in or the real service, whose backend `web` has two servers that are up */
export function haproxyCases(open: () => Promise<Runtime>): readonly Case[] {
  const states = ['drain', 'ready'] as const;
  return states.map((state) => ({
    name: `lb.${state}`,
    folder: 'haproxy',
    marked: false,
    async open() {
      const answer = await open();
      const service = await serveRuntime(answer);
      const options: ExampleOptions = {
        folder: 'haproxy',
        addressed: (yaml) => yaml.replaceAll('/tmp/bellhop-haproxy.sock', service.address),
      };
      const set = async () => answer(`set server web/web-1 state ${state}`);
      if (state === 'ready') await answer('set server web/web-1 state drain');
      let others = 0;
      return subject(service, options, {
        line: `/lb ${state} web-1`,
        effects: async () => {
          const isDrained = (await answer('show stat web 4 -1')).includes('DRAIN');
          return Number(isDrained === (state === 'drain')) - others;
        },
        elsewhere: () => {
          others = 1;
          return set();
        },
      });
    },
  }));
}

export const kubernetesSecrets = { BELLHOP_SECRET_K8S: 'token-of-the-cluster' };

const kubernetesCases: readonly Case[] = ['restart', 'undo', 'scale'].map((verb) => ({
  name: `k8s.${verb}`,
  folder: 'kubernetes',
  marked: true,
  async open() {
    const cluster = kubernetesStandIn();
    const service = await serveStandIn(cluster.answer);
    const options: ExampleOptions = {
      folder: 'kubernetes',
      addressed: (yaml) => yaml.replaceAll('https://127.0.0.1:6443', service.address),
      secrets: kubernetesSecrets,
    };
    const marks = () => cluster.current().metadata.annotations?.['bellhop/request'] !== undefined;
    return subject(service, options, {
      line: `/k8s ${verb} search${verb === 'scale' ? ' 5' : ''}`,
      effects: () => Promise.resolve(Number(marks())),
      elsewhere: () => Promise.resolve(cluster.patch([{ op: 'replace', path: '/spec/replicas', value: 5 }])),
    });
  },
}));

export const argocdSecrets = { BELLHOP_SECRET_ARGOCD: 'token-of-argo' };

const argocdCases: readonly Case[] = ['sync', 'rollback', 'autosync'].map((verb) => ({
  name: `argo.${verb}`,
  folder: 'argocd',
  marked: verb !== 'rollback',
  async open() {
    const argo = argocdStandIn();
    const service = await serveStandIn(argo.answer);
    const options: ExampleOptions = {
      folder: 'argocd',
      addressed: (yaml) => yaml.replaceAll('https://argocd.example.com', service.address),
      secrets: argocdSecrets,
      now: Date.now(),
    };
    const line = `/argo ${verb} search${verb === 'autosync' ? ' on' : ''}`;
    const send = (path: string, body: unknown) =>
      argo.answer({
        method: path === '' ? 'PATCH' : 'POST',
        path: `/api/v1/applications/search${path}`,
        type: '',
        body,
        authorization: 'Bearer token-of-argo',
      });
    return subject(service, options, {
      line,
      effects() {
        const { spec, status, operation } = argo.current();
        const began = (operation ?? status.operationState?.operation)?.initiatedBy.username === 'bellhop';
        return Promise.resolve(
          Number(verb === 'autosync' ? spec.syncPolicy.automated?.enabled === true : began),
        );
      },
      elsewhere() {
        argo.account = 'bob';
        send('/sync', { name: 'search' });
        argo.account = 'bellhop';
        return Promise.resolve();
      },
    });
  },
}));

const container = z.object({ State: z.object({ Status: z.string(), StartedAt: z.string() }) });

/** @param open resolves to a stand-in or the real service, with a running container `web` */
export function containersCases(open: () => Promise<Answer>): readonly Case[] {
  return (['restart', 'stop'] as const).map((verb) => ({
    name: `containers.${verb}`,
    folder: 'containers',
    marked: false,
    async open() {
      const answer = await open();
      const service = await serveStandIn(answer, { socket: true });
      const options: ExampleOptions = {
        folder: 'containers',
        addressed: (yaml) => yaml.replace('/run/docker.sock', service.address.slice('unix:'.length)),
      };
      const state = async () => container.parse(await ask(answer, 'GET', '/containers/web/json')).State;
      let before = await state();
      return subject(service, options, {
        line: `/containers ${verb} local web`,
        async effects() {
          const { Status, StartedAt } = await state();
          return Number(Status !== before.Status || StartedAt !== before.StartedAt);
        },
        async elsewhere() {
          await ask(answer, 'POST', `/containers/web/${verb}?t=0`);
          before = await state();
        },
      });
    },
  }));
}

export const standIns: readonly Case[] = [
  ...containersCases(() => Promise.resolve(containersStandIn().answer)),
  ...alertmanagerCases(() => Promise.resolve(alertmanagerStandIn().answer)),
  ...haproxyCases(() => Promise.resolve(haproxyStandIn())),
  ...kubernetesCases,
  ...argocdCases,
];
