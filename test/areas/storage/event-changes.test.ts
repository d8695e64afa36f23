import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { planOf } from '../../../src/run/forms.ts';
import { factLines, reportText } from '../../operations/report-text.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';
import { alice } from '../../people.ts';

const videos = '--bucket videos --storage media';
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

async function proposed(stage: ServiceStage, line: string) {
  const answer = await stage.ask(line);
  if (answer.kind !== 'request') throw new Error(`“${line}” came to a ${answer.kind}`);
  return answer.request;
}

async function told(stage: ServiceStage, line: string): Promise<string> {
  const { target, preview, state, outcome } = await stage.change(line);
  const end = outcome?.report ? reportText(outcome.report) : outcome?.error?.message;
  return [`on ${target.name}`, ...factLines(preview), `${state}:`, end].join('\n').replaceAll(uuid, '<uuid>');
}

/** The limits of a bucket's space events in the service. */
async function limits(stage: ServiceStage, bucket: string) {
  const { tables } = await stage.report(`/storage events reaching_used_space --bucket ${bucket}`);
  return tables.flatMap(({ rows }) => rows.map((row) => row[2]));
}

describe('storage.change', () => {
  test('shows what was and what will be, and sends it once', async () => {
    const stage = await openStage();
    expect(await told(stage, `/storage change reaching_used_space ${videos} --bytes 9TB`))
      .toMatchInlineSnapshot(`
        "on media/videos
        - Sends: PUT /storage/notifications/v1/event
        - Kind: reaching_used_space
        - uuid: <uuid>
        - Current limit: 8,000,000,000,000 bytes (8 TB)
        - New limit: 9,000,000,000,000 bytes (9 TB)
        - Effect: Sets the limit of reaching_used_space for media/videos to 9,000,000,000,000 bytes (9 TB).
        succeeded:
        # Event changed: reaching_used_space (good)
        - Storage: media
        - Bucket: videos
        - Limit before: 8,000,000,000,000 bytes (8 TB)
        - Limit: 9,000,000,000,000 bytes (9 TB)
        - uuid: <uuid>"
      `);
    expect(await stage.sent('changeStorageEvent')).toBe(1);
    expect(await limits(stage, 'videos')).toEqual(['9,000,000,000,000 bytes (9 TB)']);
  });

  test('a limit that it has already proposes nothing', async () => {
    const stage = await openStage();
    expect(
      await stage.refusal(`/storage change reaching_used_space ${videos} --bytes 8TB`),
    ).toMatchInlineSnapshot(`"The limit is already 8,000,000,000,000 bytes (8 TB). Nothing was done."`);
    expect(await stage.sent('changeStorageEvent')).toBe(0);
  });
});

describe('storage.delete', () => {
  test('shows what will be gone, and deletes it', async () => {
    const stage = await openStage();
    expect(await told(stage, `/storage delete reaching_used_space ${videos}`)).toMatchInlineSnapshot(`
      "on media/videos
      - Sends: DELETE /storage/notifications/v1/event
      - Kind: reaching_used_space
      - uuid: <uuid>
      - Current limit: 8,000,000,000,000 bytes (8 TB)
      - Effect: Deletes reaching_used_space for media/videos. From then on, no one is notified when this limit is reached.
      succeeded:
      # Event deleted: reaching_used_space (good)
      - Storage: media
      - Bucket: videos
      - Limit: 8,000,000,000,000 bytes (8 TB)
      - uuid: <uuid>"
    `);
    expect(await stage.sent('deleteStorageEvent')).toBe(1);
    expect(await limits(stage, 'videos')).toEqual([]);
  });
});

describe.each([
  ['storage.change', `/storage change reaching_used_space ${videos} --bytes 9TB`, 'changeStorageEvent'],
  ['storage.delete', `/storage delete reaching_used_space ${videos}`, 'deleteStorageEvent'],
] as const)('%s', (_name, line, endpoint) => {
  test.each([
    ['has another limit', { bytes: 5 }],
    ['is another event', { uuid: 'other' }],
  ])('sends nothing if the event %s by the time it is confirmed', async (_what, now) => {
    const stage = await openStage();
    const request = await proposed(stage, line);
    const record = {
      storage_name: 'media',
      bucket_name: 'videos',
      uuid: request.preview.find(({ label }) => label === 'uuid')?.value,
      bytes: 8_000_000_000_000,
      ...now,
    };
    await stage.serve('listStorageEvents', { reaching_used_space: [record] });
    const ended = await stage.confirm(request);
    expect(ended.state).toBe('failed');
    expect(ended.outcome?.error).toMatchObject({
      code: 'not-sent',
      message: expect.stringMatching(
        /^The event changed after it was shown: .* Nothing was sent\. Run/u,
      ) as string,
    });
    expect(await stage.sent(endpoint)).toBe(0);
  });

  test('is sent although another version of Bellhop worded what was confirmed', async () => {
    const stage = await openStage();
    const request = await proposed(stage, line);
    const database = new DatabaseSync(join(stage.dataDir, 'bot/bellhop.db'));
    database.exec(
      "update requests set preview = replace(replace(preview, 'Current limit', 'Limit now'), 'bytes', 'B')",
    );
    database.close();
    expect((await stage.confirm(request)).state).toBe('succeeded');
    expect(await stage.sent(endpoint)).toBe(1);
  });

  test('sends nothing if the event is gone, or cannot be read, by the time it is confirmed', async () => {
    const stage = await openStage();
    for (const [body, status, code] of [
      [{}, 200, 'not-sent'],
      [{ error: 'no' }, 403, 'not-sent'],
      ['odd', 200, 'not-sent'],
    ] as const) {
      const request = await proposed(stage, line);
      await stage.serve('listStorageEvents', body, status);
      const ended = await stage.confirm(request);
      expect([ended.state, ended.outcome?.error?.code]).toEqual(['failed', code]);
    }
    expect(await stage.sent(endpoint)).toBe(0);
  });

  test('is unknown if the answer is lost, and is not sent again', async () => {
    const stage = await openStage();
    await stage.control('PUT', `faults/${endpoint}`, { status: 500, after: true });
    expect((await stage.change(line)).state).toBe('unknown');
    expect(await stage.sent(endpoint)).toBe(1);
  });

  test('is refused by a service that has it not, with 405', async () => {
    const stage = await openStage();
    await stage.serve(endpoint, { error: 'no' }, 405);
    const ended = await stage.change(line);
    expect([ended.state, ended.outcome?.error?.code]).toEqual(['failed', 'rejected']);
  });
});

test('an event that is not there is named, and nothing is proposed', async () => {
  const stage = await openStage();
  const said = await stage.refusals([
    '/storage delete reaching_used_space --bucket vidoes --storage media',
    '/storage delete reaching_files_quantity --bucket videos --storage media',
    '/storage delete reaching_used_space --bucket x --storage nowhere',
    `/storage change reaching_used_space ${videos} --count 5`,
    `/storage change reaching_used_space ${videos}`,
    '/storage delete reaching_used_space',
    '/storage delete reaching_used_spce --bucket b --storage s',
  ]);
  expect(said).toMatchInlineSnapshot(`
    "/storage delete reaching_used_space --bucket vidoes --storage media
      There is no reaching_used_space event for media/vidoes. Did you mean “media/videos”?
    /storage delete reaching_files_quantity --bucket videos --storage media
      There is no reaching_files_quantity event for media/videos. Events for media/videos: reaching_used_requests, reaching_used_space, reaching_used_traffic.
    /storage delete reaching_used_space --bucket x --storage nowhere
      There is no reaching_used_space event for nowhere/x. /storage events lists all events.
    /storage change reaching_used_space --bucket videos --storage media --count 5
      --bytes is required for reaching_used_space.
    reaching_used_space takes --bytes, not --count.
    /storage change reaching_used_space --bucket videos --storage media
      --bytes is required for reaching_used_space.
    /storage delete reaching_used_space
      a form
    /storage delete reaching_used_spce --bucket b --storage s
      <kind> must be one of reaching_files_quantity, reaching_used_requests, reaching_used_space, reaching_used_traffic. Did you mean “reaching_used_space”?"
  `);
  await stage.serve('listStorageEvents', {
    reaching_used_space: [1, 2].map((bytes) => ({
      storage_name: 'media',
      bucket_name: 'videos',
      uuid: 'u',
      bytes,
    })),
  });
  expect(await stage.refusal(`/storage delete reaching_used_space ${videos}`)).toMatchInlineSnapshot(
    `"Bellhop can't tell which event is reaching_used_space of media/videos, because the service lists 2 of them. Nothing was sent."`,
  );
});

test('the form of a change asks for the limit of its kind', async () => {
  const stage = await openStage();
  const caller = {
    actor: alice,
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
  };
  const fields = async (values: Record<string, unknown>) =>
    (await planOf(stage.context, { ...caller, correlationId: 'c' }, stage.entry('storage.change'), values))
      ?.fields;
  expect(await fields({})).toEqual(['kind']);
  expect(await fields({ kind: 'reaching_files_quantity' })).toEqual(['kind', 'bucket', 'storage', 'count']);
});
