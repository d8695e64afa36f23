import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { renderCard } from '../../../src/slack/cards/render-card.ts';
import { answer, startFaultyServer } from '../../service/faulty-server.ts';
import { factLines, reportText } from '../../operations/report-text.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';
import { s3 } from './raw-log-values.ts';

const secret = 'the-k"ey/of+the&bucket';
const secrets: Readonly<Record<string, string>> = { BELLHOP_SECRET_LOG_KEY: secret };

async function openOn(status: number, body: string, kept = secrets) {
  const service = await startFaultyServer(answer(status, body));
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { ...service, stage: await openStage({ env: kept, serviceUrl: service.url }) };
}

describe('a change of the raw log export', () => {
  test('lists everything the first time, and is done', async () => {
    const stage = await openStage({ env: secrets });
    const request = await stage.submit('cdn.raw-logs', s3);
    expect(factLines(request.preview).join('\n')).toMatchInlineSnapshot(`
      "- Sends: PUT /cdn/raw_log_settings, which replaces all settings
      - Changes: can't be shown (no earlier settings on record)
      - Storage type: s3
      - Export logs: yes
      - S3 type: amazon
      - AWS region: 3
      - Access key id: AKIA1
      - Secret key: secret:log-key
      - One destination for all resources: yes
      - Bucket for all resources: logs
      - Archive size in MB: 100
      - Ignore empty logs: no
      - Effect: Replaces all raw-log export settings of the CDN account."
    `);
    expect(await stage.sent()).toBe(0);
    const ended = await stage.confirm(request);
    expect(ended.state).toBe('succeeded');
    expect(ended.outcome?.report && reportText(ended.outcome.report)).toMatchInlineSnapshot(`
      "# Raw log settings replaced (good)
      The service now has these settings:
      - Storage type: s3
      - Export logs: yes
      - S3 type: amazon
      - AWS region: 3
      - Access key id: AKIA1
      - One destination for all resources: yes
      - Bucket for all resources: logs
      - Archive size in MB: 100
      - Ignore empty logs: no
      - Secrets sent: secret:log-key"
    `);
  });

  test('lists what differs from the last settings sent from here', async () => {
    const stage = await openStage({ env: secrets });
    await stage.confirm(await stage.submit('cdn.raw-logs', s3));
    const request = await stage.submit('cdn.raw-logs', {
      ...s3,
      s3_secret_key: undefined,
      all_resources_bucket: undefined,
      archive_size_mb: undefined,
      s3_bucket_location: 'eu',
      for_all_resources: false,
      folders: [
        { bucket: 'edge', cdn_resource: 12 },
        { bucket: 'edge', folder: 'rest' },
      ],
    });
    expect(factLines(request.preview).join('\n')).toMatchInlineSnapshot(`
      "- Sends: PUT /cdn/raw_log_settings, which replaces all settings
      - Reused secret: the service will send the stored secret key to Amazon S3
      - Changes: 6 since request r-1 (2026-11-21 03:00:00 UTC)
      - Bucket location: none → eu
      - One destination for all resources: yes → no
      - Bucket for all resources: logs → none
      - Archive size in MB: 100 → no splitting
      - Destination: none → resource 12: edge
      - Destination: none → any resource: edge/rest
      - Storage type: s3 (unchanged)
      - Export logs: yes (unchanged)
      - S3 type: amazon (unchanged)
      - AWS region: 3 (unchanged)
      - Access key id: AKIA1 (unchanged)
      - Secret key: unchanged; the service keeps the stored one
      - Ignore empty logs: no (unchanged)
      - Effect: Replaces all raw-log export settings of the CDN account."
    `);
    await stage.confirm(request);
    const third = await stage.submit('cdn.raw-logs', s3);
    expect(factLines(third.preview).join('\n')).toMatchInlineSnapshot(`
      "- Sends: PUT /cdn/raw_log_settings, which replaces all settings
      - Changes: 7 since request r-2 (2026-11-21 03:00:00 UTC)
      - Secret key: the stored one → secret:log-key
      - Bucket location: eu → none
      - One destination for all resources: no → yes
      - Bucket for all resources: none → logs
      - Archive size in MB: no splitting → 100
      - Destination: resource 12: edge → none
      - Destination: any resource: edge/rest → none
      - Storage type: s3 (unchanged)
      - Export logs: yes (unchanged)
      - S3 type: amazon (unchanged)
      - AWS region: 3 (unchanged)
      - Access key id: AKIA1 (unchanged)
      - Ignore empty logs: no (unchanged)
      - Effect: Replaces all raw-log export settings of the CDN account."
    `);
  });

  test('warns of an earlier one whose outcome is unknown', async () => {
    const stage = await openStage({ env: secrets });
    await stage.control('PUT', 'faults/updateRawLogSettings', { status: 500, after: true, times: 1 });
    const lost = await stage.confirm(await stage.submit('cdn.raw-logs', s3));
    expect(lost.state).toBe('unknown');
    const next = await stage.submit('cdn.raw-logs', s3);
    expect(factLines(next.preview).slice(1, 3)).toMatchInlineSnapshot(`
      [
        "- Changes: can't be shown (no earlier settings on record)",
        "- Careful: the outcome of r-1 (2026-11-21 03:00:00 UTC) is unknown, so the service may already have the settings from that request",
      ]
    `);
    await stage.confirm(next);
    const last = await stage.submit('cdn.raw-logs', s3);
    expect(factLines(last.preview).join()).not.toContain('Careful');
  });

  test('sends the interface its own words: secrets resolved, no slicing as null', async () => {
    const { stage, seen } = await openOn(200, '');
    const { archive_size_mb: _, ...unsliced } = s3;
    const ended = await stage.confirm(await stage.submit('cdn.raw-logs', unsliced));
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['PUT /cdn/raw_log_settings']);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      ...unsliced,
      s3_secret_key: secret,
      archive_size_mb: null,
      ignore_empty_logs: false,
    });
    expect(ended.outcome?.report && reportText(ended.outcome.report)).toMatchInlineSnapshot(`
      "# Raw log settings replaced (good)
      The service confirmed the change but didn't return the settings. Bellhop sent:
      - Storage type: s3
      - Export logs: yes
      - S3 type: amazon
      - AWS region: 3
      - Access key id: AKIA1
      - Secret key: secret:log-key
      - One destination for all resources: yes
      - Bucket for all resources: logs
      - Archive size in MB: no splitting
      - Ignore empty logs: no"
    `);
  });

  test('is not sent if a secret has been removed since the request', async () => {
    const kept: Record<string, string> = { ...secrets, BELLHOP_SECRET_OTHER_KEY: 'soon gone' };
    const { stage, seen } = await openOn(200, '', kept);
    const request = await stage.submit('cdn.raw-logs', { ...s3, s3_secret_key: 'secret:other-key' });
    delete kept['BELLHOP_SECRET_OTHER_KEY'];
    const ended = await stage.confirm(request);
    expect([ended.state, ended.outcome?.error?.code, seen.length]).toEqual(['failed', 'configuration', 0]);
    expect(ended.outcome?.error?.message).toMatchInlineSnapshot(
      `"The secret “other-key” does not exist. Set BELLHOP_SECRET_OTHER_KEY, or set BELLHOP_SECRETS_DIR to a folder with a file other-key."`,
    );
  });

  test('says what the service refuses', async () => {
    const stage = await openStage({ env: secrets });
    await stage.serve('updateRawLogSettings', { errors: { s3_access_key_id: ['is not known'] } }, 400);
    const ended = await stage.confirm(await stage.submit('cdn.raw-logs', s3));
    expect([ended.state, ended.outcome?.error?.message]).toMatchInlineSnapshot(`
      [
        "failed",
        "s3_access_key_id: is not known. The service answered PUT /cdn/raw_log_settings with 400 Bad Request.",
      ]
    `);
  });

  test('is never typed: a command opens the form with what goes into it', async () => {
    const stage = await openStage();
    const opened = await stage.ask('/cdn raw-logs --storage-type ftp --ftp-password secret:ftp');
    expect(opened).toMatchObject({
      kind: 'form',
      values: { storage_type: 'ftp', ftp_password: 'secret:ftp' },
    });
    expect(await stage.refusal('/cdn raw-logs --s3-secret-key hunter2')).toMatchInlineSnapshot(
      `"--s3-secret-key takes the name of a secret, such as secret:log-bucket, never the secret itself. If that was a secret, it has been sent in chat, so rotate it now."`,
    );
  });
});

/** Every way in which the secret could stand somewhere. */
const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), btoa(secret)];

const expectNowhere = async (stage: ServiceStage): Promise<void> => {
  const folder = join(stage.dataDir, 'bot');
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'));
  const requests = await stage.store.list({ limit: 100 });
  const audit = await stage.store.auditFrom(0, 1_000);
  const everything = [...files, ...stage.logged, JSON.stringify(requests), JSON.stringify(audit)];
  expect(files.join('').includes('secret:log-key')).toBe(true);
  for (const form of forms) expect(everything.some((text) => text.includes(form))).toBe(false);
};

describe('a secret stays out of the store, the record, the log and every message', () => {
  const echoes = { s3_hostname: secret, message: `no access with ${secret}`, s3_secret_key: secret };
  test.each([
    ['it is taken', 200, ''],
    ['the answer repeats it', 200, JSON.stringify({ ...s3, ...echoes, s3_access_key_id: `x${secret}` })],
    ['the answer repeats it where a number should be', 200, JSON.stringify({ s3_aws_region: secret })],
    ['a refusal repeats it', 400, JSON.stringify({ errors: { s3_secret_key: [`${secret} is wrong`] } })],
    ['a refusal is a page that holds it', 403, `<h1>${secret}</h1>`],
    ['an outcome is unknown', 500, JSON.stringify(echoes)],
  ])('where %s', async (_, status, body) => {
    const { stage, seen } = await openOn(status, body);
    const ended = await stage.confirm(await stage.submit('cdn.raw-logs', s3));
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ s3_secret_key: secret });
    const { operation, verb } = stage.entry('cdn.raw-logs');
    const shown = JSON.stringify([
      ended,
      renderCard(ended, { operation, verb, done: 'succeeded', disclaimers: [] }),
    ]);
    for (const form of forms) expect(shown.includes(form)).toBe(false);
    await expectNowhere(stage);
  });
});
