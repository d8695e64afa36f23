import { describe, expect, test } from 'vitest';

import { planOf } from '../../../src/run/forms.ts';
import { readBytes } from '../../../src/areas/storage/event.ts';
import { factLines, reportText } from '../../operations/report-text.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';
import { alice } from '../../people.ts';

const bucket = '--bucket media --storage main';

async function told(stage: ServiceStage, line: string): Promise<string> {
  const { target, preview, state, outcome } = await stage.change(line);
  const end = outcome?.report ? reportText(outcome.report) : outcome?.error?.message;
  return [`on ${target.name}`, ...factLines(preview), `${state}:`, end].join('\n').replaceAll(uuid, '<uuid>');
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

describe('storage.post', () => {
  test('reads units, shows the exact number, and the reply', async () => {
    const stage = await openStage();
    expect(await told(stage, `/storage post reaching_used_space ${bucket} --bytes 1.5TiB`))
      .toMatchInlineSnapshot(`
        "on main/media
        - Sends: POST /storage/notifications/v1/event
        - Kind: reaching_used_space
        - Limit: 1,649,267,441,664 bytes (1.6 TB)
        - Effect: Posts a reaching_used_space event for main/media with a limit of 1,649,267,441,664 bytes (1.6 TB).
        succeeded:
        # Event posted: reaching_used_space (good)
        - Storage: main
        - Bucket: media
        - Limit: 1,649,267,441,664 bytes (1.6 TB)
        - uuid: <uuid>"
      `);
    expect(await stage.sent('postStorageEvent')).toBe(1);
    expect(await stage.report('/storage events --bucket media')).toMatchObject({
      tables: [{ rows: [['main', 'media', '1,649,267,441,664 bytes (1.6 TB)', expect.any(String)]] }],
    });
  });

  test('counts files and requests', async () => {
    const stage = await openStage();
    const given = '--uuid 11111111-2222-3333-4444-555555555555';
    const told1 = await told(stage, `/storage post reaching_files_quantity ${bucket} --count 0`);
    const told2 = await told(
      stage,
      `/storage post reaching_used_requests ${bucket} --count 9007199254740991 ${given}`,
    );
    expect(`${told1}\n${told2}`).toMatchInlineSnapshot(`
      "on main/media
      - Sends: POST /storage/notifications/v1/event
      - Kind: reaching_files_quantity
      - Limit: 0 files
      - Effect: Posts a reaching_files_quantity event for main/media with a limit of 0 files.
      succeeded:
      # Event posted: reaching_files_quantity (good)
      - Storage: main
      - Bucket: media
      - Limit: 0 files
      - uuid: <uuid>
      on main/media
      - Sends: POST /storage/notifications/v1/event
      - Kind: reaching_used_requests
      - Limit: 9,007,199,254,740,991 requests
      - uuid: <uuid>
      - Effect: Posts a reaching_used_requests event for main/media with a limit of 9,007,199,254,740,991 requests.
      succeeded:
      # Event posted: reaching_used_requests (good)
      - Storage: main
      - Bucket: media
      - Limit: 9,007,199,254,740,991 requests
      - uuid: <uuid>"
    `);
  });

  test('shows what the service stored if that differs', async () => {
    const stage = await openStage();
    await stage.serve('postStorageEvent', {
      name: 'reaching_used_space',
      bytes: 9e18,
      uuid: '<!channel>',
      bucket_name: null,
    });
    expect(await told(stage, `/storage post reaching_used_space ${bucket} --bytes 1GB`))
      .toMatchInlineSnapshot(`
        "on main/media
        - Sends: POST /storage/notifications/v1/event
        - Kind: reaching_used_space
        - Limit: 1,000,000,000 bytes (1 GB)
        - Effect: Posts a reaching_used_space event for main/media with a limit of 1,000,000,000 bytes (1 GB).
        succeeded:
        # Event posted, but with a different limit: reaching_used_space (unsure)
        - Storage: main
        - Bucket: media
        - Limit: 9,000,000,000,000,000,000 bytes (9,000 PB)
        - uuid: <!channel>"
      `);
  });

  test('is refused by the service the second time', async () => {
    const stage = await openStage();
    const line = `/storage post reaching_used_space ${bucket} --bytes 1GB`;
    await stage.change(line);
    expect((await stage.change(line)).outcome?.error?.message).toMatchInlineSnapshot(
      `"reaching_used_space already exists for media in main. The service answered POST /storage/notifications/v1/event with 409 Conflict."`,
    );
  });

  test('a bad input gets a short answer and sends nothing', async () => {
    const stage = await openStage();
    const space = `/storage post reaching_used_space ${bucket}`;
    const said = await stage.refusals([
      '/storage post',
      '/storage post reaching_used_spce --bytes 1GB',
      `/storage post REACHING_USED_SPACE ${bucket} --bytes 1`,
      space,
      `${space} --bytes -1`,
      `${space} --bytes=-1`,
      `${space} --bytes 1.5`,
      `${space} --bytes ten`,
      `${space} --bytes 10GBit`,
      `${space} --bytes 9007199254740992`,
      `${space} --bytes 1e30`,
      `${space} --bytes 1GB --count 5`,
      `${space} --count 5`,
      `${space} --bytes 1GB --bytes 2GB`,
      `/storage post reaching_files_quantity ${bucket} --bytes 1GB`,
      `/storage post reaching_files_quantity ${bucket} --count 1.5`,
      `/storage post reaching_files_quantity ${bucket} --count=-1`,
      `/storage post reaching_files_quantity ${bucket} --count 9007199254740992`,
      '/storage post reaching_used_space --bucket "" --storage main --bytes 1',
      `/storage post reaching_used_space --bucket ${'x'.repeat(256)} --storage main --bytes 1`,
      `${space} --bytes 1 --uuid ${'x'.repeat(65)}`,
      `${space} --bytes ${'9'.repeat(3_000)}`,
    ]);
    expect(said).toMatchInlineSnapshot(`
      "/storage post
        a form
      /storage post reaching_used_spce --bytes 1GB
        a form
      /storage post REACHING_USED_SPACE --bucket media --storage main --bytes 1
        <kind> must be one of reaching_files_quantity, reaching_used_requests, reaching_used_space, reaching_used_traffic. Did you mean “reaching_used_space”?
      /storage post reaching_used_space --bucket media --storage main
        --bytes is required for reaching_used_space.
      /storage post reaching_used_space --bucket media --storage main --bytes -1
        --bytes must be a size such as 10GB, 512MiB or 1500.
      /storage post reaching_used_space --bucket media --storage main --bytes=-1
        --bytes must be a size such as 10GB, 512MiB or 1500.
      /storage post reaching_used_space --bucket media --storage main --bytes 1.5
        --bytes must be a size such as 10GB, 512MiB or 1500.
      /storage post reaching_used_space --bucket media --storage main --bytes ten
        --bytes must be a size such as 10GB, 512MiB or 1500.
      /storage post reaching_used_space --bucket media --storage main --bytes 10GBit
        --bytes must be a size such as 10GB, 512MiB or 1500.
      /storage post reaching_used_space --bucket media --storage main --bytes 9007199254740992
        --bytes is too large.
      /storage post reaching_used_space --bucket media --storage main --bytes 1e30
        --bytes must be a size such as 10GB, 512MiB or 1500.
      /storage post reaching_used_space --bucket media --storage main --bytes 1GB --count 5
        reaching_used_space takes --bytes, not --count.
      /storage post reaching_used_space --bucket media --storage main --count 5
        --bytes is required for reaching_used_space.
      reaching_used_space takes --bytes, not --count.
      /storage post reaching_used_space --bucket media --storage main --bytes 1GB --bytes 2GB
        --bytes is given twice.
      /storage post reaching_files_quantity --bucket media --storage main --bytes 1GB
        --count is required for reaching_files_quantity.
      reaching_files_quantity takes --count, not --bytes.
      /storage post reaching_files_quantity --bucket media --storage main --count 1.5
        --count must be a whole number, such as 1000.
      /storage post reaching_files_quantity --bucket media --storage main --count=-1
        --count must be a whole number, such as 1000.
      /storage post reaching_files_quantity --bucket media --storage main --count 9007199254740992
        --count is too large.
      /storage post reaching_used_space --bucket "" --storage main --bytes 1
        --bucket needs a value, such as --bucket media.
      /storage post reaching_used_space --bucket xxxxxxxxx…x --storage main --bytes 1
        --bucket is too long: a bucket has at most 255 characters.
      /storage post reaching_used_space --bucket media --storage main --bytes 1 --uuid xxxxxxxxx…xx
        --uuid is too long: a uuid has at most 64 characters.
      /storage post reaching_used_space --bucket media --storage main --bytes 999999999…
        Your command has 3,063 characters. The limit is 3,000. Shorten it."
    `);
    expect(await stage.sent()).toBe(0);
  });
});

const plan = async (stage: ServiceStage, values: Record<string, unknown>) => {
  const caller = {
    actor: alice,
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
  };
  const entry = stage.entry('storage.post');
  return planOf(stage.context, { ...caller, correlationId: 'c' }, entry, values);
};
const fields = async (stage: ServiceStage, values: Record<string, unknown>) =>
  (await plan(stage, values))?.fields;

describe('the form of an event', () => {
  test('has the fields that the service describes', async () => {
    const stage = await openStage();
    expect(await fields(stage, {})).toEqual(['kind']);
    expect(await fields(stage, { kind: 'reaching_used_spce' })).toEqual(['kind']);
    expect((await plan(stage, { kind: 'bucket_size' }))?.note).toBe(
      '“bucket_size” is not a kind. Choose the kind first. The other fields depend on it.',
    );
    expect((await plan(stage, {}))?.note).toBe('Choose the kind first. The other fields depend on it.');
    expect(await fields(stage, { kind: 'reaching_used_space' })).toEqual([
      'kind',
      'storage',
      'bucket',
      'uuid',
      'bytes',
    ]);
    await stage.serve('describeStorageEvents', {
      structure: [{ name: 'reaching_used_space', fields: [{ name: 'bucket_name' }] }],
    });
    expect(await fields(stage, { kind: 'reaching_used_space' })).toEqual([
      'kind',
      'bucket',
      'storage',
      'bytes',
    ]);
  });

  test("has those of the interface if the service can't be polled, or says nothing of use", async () => {
    const stage = await openStage();
    const own = ['kind', 'bucket', 'storage', 'count', 'uuid'];
    for (const [body, status] of [
      [{ error: 'no' }, 404],
      [{ structure: 'odd' }, 200],
      [{}, 200],
    ] as const) {
      await stage.serve('describeStorageEvents', body, status);
      expect(await fields(stage, { kind: 'reaching_files_quantity' })).toEqual(own);
    }
  });
});

test.each([
  ['0', 0],
  ['10GB', 10_000_000_000],
  ['10 gb', 10_000_000_000],
  ['1.5 TiB', 1_649_267_441_664],
  ['1_000', 1_000],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['1.0000001k', undefined],
  ['9007199254740992', undefined],
  ['0.5', undefined],
  ['-1', undefined],
  ['', undefined],
  ['GB', undefined],
  ['1EB', undefined],
  ['٣', undefined],
])('%j is %s bytes', (typed, bytes) => {
  expect(readBytes(typed)).toBe(bytes);
});
