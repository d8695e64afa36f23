import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Request } from '../../src/model/records/request.ts';
import type { Store } from '../../src/store/store.ts';
import { sweep } from '../due/sweep.ts';
import { openFileStage } from '../reported/own-stage.ts';
import { until } from '../until.ts';
import type { Faulty } from './stand-in.ts';

export type ExampleStage = Awaited<ReturnType<typeof openFileStage>>;

export interface ExampleOptions {
  /** In the folder `examples`. */
  readonly folder: string;
  /** Replaces the addresses that bellhop.yaml has. */
  readonly addressed: (yaml: string) => string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly store?: Store;
  readonly now?: number;
}

/** Bellhop in this process with an example as it is shipped, except for addresses. */
export function openExample({ folder, addressed, ...options }: ExampleOptions): Promise<ExampleStage> {
  const path = join(import.meta.dirname, '../../examples', folder);
  const shipped = readFileSync(join(path, 'bellhop.yaml'), 'utf8');
  const text = addressed(shipped);
  if (text === shipped) throw new Error(`${folder}/bellhop.yaml has none of the addresses`);
  return openFileStage({ text, folder: path, ...options });
}

/** Confirms or approves. A person who presses twice is ignored once. */
export async function decide(stage: ExampleStage, request: Request): Promise<Request> {
  return request.state === 'awaiting approval'
    ? stage.click('carol', request, 'approve')
    : stage.click('alice', request, 'confirm');
}

/** Resolves once the change has ended, or its outcome is unknown. Time stands still while the service works. */
export async function ended(
  stage: ExampleStage,
  on: Pick<Request, 'id'>,
  service: Pick<Faulty, 'hangs'>,
): Promise<Request> {
  return until(async () => {
    const request = await stage.find(on);
    if (request.state !== 'running') return request;
    if (service.hangs) await stage.clock.advance(10_000);
    return undefined;
  });
}

export async function change(
  stage: ExampleStage,
  line: string,
  service: Pick<Faulty, 'hangs'>,
): Promise<Request> {
  const request = await stage.propose('alice', line);
  await decide(stage, request);
  return ended(stage, request, service);
}

/** Searches for evidence as the bot does, until it is found, or until the search has ended. */
export async function settled(
  stage: ExampleStage,
  unknown: Pick<Request, 'id'>,
  { marked }: { readonly marked: boolean },
): Promise<Request> {
  await stage.clock.advance(15_000);
  await sweep(stage.context);
  return until(async () => {
    const request = await stage.find(unknown);
    const { search, look } = request.outcome ?? {};
    const hasLooked = (marked ? search?.seen : look) !== undefined;
    return request.state !== 'unknown' || hasLooked ? request : undefined;
  });
}
