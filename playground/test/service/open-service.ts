import { request } from 'undici';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { defaultInventory } from '../../service/state/inventory.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../service/start-local-service.ts';
import { problemsOfResponse } from './openapi-response.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

/** A moment in the middle of a day, long after everything seeded. */
const noon = Date.UTC(2026, 10, 20, 12);

export const apiKey = 'full-key';
export const readOnlyKey = 'reading-key';
export const web1 = '/cloud/v1/instances/1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

interface CallOptions {
  key?: string;
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string | Buffer;
}

export interface OpenService {
  service: LocalService;
  /** Calls the service, and checks that the answer fits the service's own description. */
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  /** Lets this many milliseconds pass on the clock of the service. */
  pass: (milliseconds: number) => void;
}

export const call = async (
  url: string,
  method: string,
  path: string,
  { key = apiKey, headers = {}, body, raw }: CallOptions = {},
): Promise<Answer> => {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await request(`${url}${path}`, {
    method: method as 'GET',
    headers: {
      ...(key !== '' && { authorization: `apikey ${key}` }),
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await response.body.text();
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  const parsed: unknown = isJson ? JSON.parse(text) : text;
  const answer = { status: response.statusCode, headers: response.headers, body: parsed };
  expect(problemsOfResponse(method, path, answer)).toEqual([]);
  return answer;
};

/** Starts a service on a clock that only the test moves. */
export const startForTests = async (
  options: Partial<LocalServiceOptions> & { dataDir: string },
): Promise<OpenService> => {
  let time = noon;
  const service = await startLocalService({
    port: 0,
    apiKey,
    readOnlyKey,
    inventory: defaultInventory,
    now: () => time,
    ...options,
  });
  return {
    service,
    call: (method, path, callOptions) => call(service.url, method, path, callOptions),
    pass: (milliseconds) => {
      time += milliseconds;
    },
  };
};

/** Starts a service of its own for a test and closes it afterwards. */
export const openService = async (options: Partial<LocalServiceOptions> = {}): Promise<OpenService> => {
  const opened = await startForTests({ dataDir: temporaryFolder(), ...options });
  onTestFinished(() => opened.service.close());
  return opened;
};

/** One service for all tests of a file that change nothing. */
export const sharedService = (options: Partial<LocalServiceOptions> = {}): Pick<OpenService, 'call'> => {
  let shared: OpenService | undefined;
  beforeAll(async () => {
    const dataDir = temporaryFolder();
    const opened = await startForTests({ dataDir, ...options });
    shared = opened;
    return () => opened.service.close();
  });
  return {
    call: (...parameters) => {
      if (!shared) throw new Error('The service starts before the tests run');
      return shared.call(...parameters);
    },
  };
};
