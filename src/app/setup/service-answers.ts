import { z } from 'zod';

import { areas } from '../../areas/index.ts';
import { serviceVariables } from '../../config/environment/variables.ts';
import { instanceId, name as instanceName } from '../../model/rulebook/schema-parts.ts';
import { badInput } from '../../model/values/errors.ts';
import type { ServiceClientOptions } from '../../service/client.ts';
import { type Asker, note } from './asker.ts';
import { parsed, secretAnswer, type Setting } from './secret-answers.ts';

export interface Service {
  readonly settings: readonly Setting[];
  /** Undefined for the local service, which has what the minimal file names. */
  readonly inventory?: Inventory;
}

interface Inventory {
  readonly project: number;
  readonly region: number;
  readonly instance: { readonly name: string; readonly id: string };
}

type Given = Readonly<Partial<Record<'service' | 'project' | 'region' | 'instance', string | undefined>>>;

const { API_BASE_URL, API_KEY } = serviceVariables(true).shape;
const number = z
  .string()
  .regex(/^[1-9]\d{0,14}$/u, 'takes a whole number, 1 or more.')
  .transform(Number);

/** Asks for the service, and reads from it once. If that fails, its questions are repeated. */
export async function serviceAnswers(asker: Asker, given: Given): Promise<Service> {
  let known = given;
  for (;;) {
    const baseUrl = await asker.answer(
      {
        name: '--service',
        what: 'the address of the service (https://…), or local to simulate it',
        given: known.service,
      },
      (answer) => (answer === 'local' ? answer : parsed('--service', API_BASE_URL, answer)),
    );
    const address = { name: 'API_BASE_URL', value: baseUrl };
    if (baseUrl === 'local') return { settings: [address] };
    const { setting, checked: apiKeys } = await secretAnswer(
      asker,
      'API_KEY',
      'the API key of the service',
      (key) => parsed('API_KEY', API_KEY, key),
    );
    const inventory = await inventoryAnswers(asker, known);
    try {
      await readOnce({ baseUrl, apiKeys: () => apiKeys }, inventory);
      return { settings: [address, setting], inventory };
    } catch (error) {
      asker.explain(error);
      known = {};
    }
  }
}

async function inventoryAnswers(asker: Asker, { project, region, instance }: Given): Promise<Inventory> {
  const numberOf = (name: 'project' | 'region', given: string | undefined): Promise<number> =>
    asker.answer({ name: `--${name}`, what: `the number of the ${name}`, given }, (answer) =>
      parsed(`--${name}`, number, answer),
    );
  return {
    project: await numberOf('project', project),
    region: await numberOf('region', region),
    instance: await asker.answer(
      { name: '--instance', what: 'one instance as name=id (web-1=6c6aa80f-…)', given: instance },
      (answer) => {
        const [, name, id] = /^([^=]+)=(.+)$/u.exec(answer) ?? [];
        if (name === undefined)
          throw badInput('--instance takes a name and an id, such as web-1=6c6aa80f-….');
        return {
          name: parsed('--instance: the name', instanceName, name),
          id: parsed('--instance: the id', instanceId, id ?? ''),
        };
      },
    ),
  };
}

/** @throws ServiceError */
async function readOnce(options: ServiceClientOptions, inventory: Inventory): Promise<void> {
  for (const { tryOut } of areas)
    if (tryOut) note(`The service answers: ${await tryOut(options, inventory)}.`);
}
