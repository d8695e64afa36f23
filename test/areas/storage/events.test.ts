import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { reportText } from '../../operations/report-text.ts';
import { setStage, type ServiceStage } from '../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.control('DELETE', 'requests'));

const look = async (line: string): Promise<string> => reportText(await stage.report(line));

test('events are listed by kind, with units and exact numbers', async () => {
  expect(await look('/storage events')).toMatchInlineSnapshot(`
    "# Storage events
    9 events
    reaching_files_quantity: 2:
      | Storage | Bucket | Limit | uuid
      | media | product-images | 12,000,000 files | 698d07e8-42c7-490b-a407-3a5561c6c399
      | logs | cdn-raw | 1,500,000 files | 5cc92674-5a86-494b-af66-a848567d8e3d
    reaching_used_requests: 2:
      | Storage | Bucket | Limit | uuid
      | media | videos | 250,000,000 requests | 1148355e-24d8-4b68-adf8-b724dbe6911b
      | logs | cdn-raw | 20,000,000 requests | cefc43f4-c0ff-4086-ac67-1270bf91bf6f
    reaching_used_space: 3:
      | Storage | Bucket | Limit | uuid
      | media | product-images | 500,000,000,000 bytes (500 GB) | 9f125e7f-ea7a-4940-a15b-03b5c2d18821
      | media | videos | 8,000,000,000,000 bytes (8 TB) | 592f609a-7a01-4b0d-a7b9-7b820aac2c99
      | backup | postgres | 2,000,000,000,000 bytes (2 TB) | 5c6d74eb-f3ee-47e0-ad59-6ca88e39554e
    reaching_used_traffic: 2:
      | Storage | Bucket | Limit | uuid
      | media | videos | 40,000,000,000,000 bytes (40 TB) | cc05b536-084f-4f3f-a7f6-17917bb1320b
      | media | product-images | 6,000,000,000,000 bytes (6 TB) | 618f0992-395f-401b-a23a-e72e88f00870
    [storage-events.csv: 9 rows of kind,storage_name,bucket_name,uuid,amount,unit]"
  `);
});

test('events are found by kind, bucket and storage', async () => {
  const lines = [
    '/storage events reaching_used_space reaching_used_traffic',
    '/storage events --bucket videos',
    '/storage events reaching_used_requests --storage logs',
    '/storage events --bucket nothing',
  ];
  const found = [];
  for (const line of lines) found.push(`${line}: ${(await stage.report(line)).headline}`);
  expect(found.join('\n')).toMatchInlineSnapshot(`
    "/storage events reaching_used_space reaching_used_traffic: 5 of 9 events match
    /storage events --bucket videos: 3 of 9 events match
    /storage events reaching_used_requests --storage logs: 1 of 9 events matches
    /storage events --bucket nothing: None of 9 events match"
  `);
});

test('hostile events, new kinds and inexact numbers are shown as they are', async () => {
  await stage.serve('listStorageEvents', {
    reaching_used_space: [{ bucket_name: '<!channel>', bytes: 1e22 }, 'nothing', { bytes: 'a lot' }],
    reaching_used_traffic: null,
    reaching_files_quantity: 'none',
    reaching_the_moon: [{ storage_name: 's', bucket_name: 'b', count: 7 }, { bytes: 5 }],
  });
  expect(await look('/storage events')).toMatchInlineSnapshot(`
    "# Storage events
    4 events
    reaching_used_space: 2:
      | Storage | Bucket | Limit | uuid
      | ? | <!channel> | ≈10,000,000,000,000,000,000,000 bytes (10,000,000 PB) | 
      | ? | ? | not given | 
    reaching_the_moon: 2:
      | Storage | Bucket | Limit | uuid
      | s | b | 7 | 
      | ? | ? | 5 bytes | 
    (Unreadable in the reply: reaching_used_space[1]: expected object)
    (Unreadable in the reply: reaching_used_space[2].bytes: expected integer)
    (Unreadable in the reply: reaching_files_quantity: expected array)
    [storage-events.csv: 4 rows of kind,storage_name,bucket_name,uuid,amount,unit]"
  `);
});

test('kinds show what each takes, with the examples of the service', async () => {
  expect(await look('/storage kinds')).toMatchInlineSnapshot(`
    "# Kinds of storage events
    4 kinds
    Fields of each kind:
      | Kind | Fields
      | reaching_files_quantity | storage_name (text), bucket_name (text), uuid (text), count (number)
      | reaching_used_requests | storage_name (text), bucket_name (text), uuid (text), count (number)
      | reaching_used_space | storage_name (text), bucket_name (text), uuid (text), bytes (number)
      | reaching_used_traffic | storage_name (text), bucket_name (text), uuid (text), bytes (number)
    Examples from the service:
      | Kind | Storage | Bucket | Limit | uuid
      | reaching_files_quantity | media | product-images | 12,000,000 files | 698d07e8-42c7-490b-a407-3a5561c6c399
      | reaching_used_requests | media | videos | 250,000,000 requests | 1148355e-24d8-4b68-adf8-b724dbe6911b
      | reaching_used_space | media | product-images | 500,000,000,000 bytes (500 GB) | 9f125e7f-ea7a-4940-a15b-03b5c2d18821
      | reaching_used_traffic | media | videos | 40,000,000,000,000 bytes (40 TB) | cc05b536-084f-4f3f-a7f6-17917bb1320b"
  `);
});

test('kinds show what could be read', async () => {
  await stage.serve('describeStorageEvents', {
    structure: [{ name: 'new', fields: [{ name: '<x>' }, 7] }, {}],
    example: [],
  });
  expect(await look('/storage kinds')).toMatchInlineSnapshot(`
    "# Kinds of storage events
    2 kinds
    Fields of each kind:
      | Kind | Fields
      | new | <x> (?)
      | ? | 
    (Unreadable in the reply: structure[0].fields[1]: expected object)
    (Unreadable in the reply: example: expected object)"
  `);
});

test('a bad input gets a short answer and sends nothing', async () => {
  const said = await stage.refusals([
    '/storage events reaching_used_spce',
    '/storage events --bucket',
    '/storage events --bucket ""',
    `/storage events --storage ${'x'.repeat(256)}`,
    '/storage events --buckets a',
    '/storage kinds all',
    '/storage kinds --bucket a',
    `/storage events ${'x'.repeat(3_000)}`,
  ]);
  expect(said).toMatchInlineSnapshot(`
    "/storage events reaching_used_spce
      <kind> must be one of reaching_files_quantity, reaching_used_requests, reaching_used_space, reaching_used_traffic. Did you mean “reaching_used_space”?
    /storage events --bucket
      --bucket needs a value.
    /storage events --bucket ""
      --bucket needs a value.
    /storage events --storage xxxxxxxxx…x
      --storage is too long: a storage has at most 255 characters.
    /storage events --buckets a
      /storage events has no option “--buckets”. Did you mean “--bucket”?
    /storage kinds all
      Unexpected argument “all”. Usage: /storage kinds.
    /storage kinds --bucket a
      /storage kinds has no option “--bucket”.
    /storage events xxxxxxxxx…
      Your command has 3,007 characters. The limit is 3,000. Shorten it."
  `);
  expect(await stage.sent()).toBe(0);
});
