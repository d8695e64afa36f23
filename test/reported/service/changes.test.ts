import { describe, expect, it, onTestFinished } from 'vitest';

import { createServiceClient } from '../../areas/service-client.ts';
import { failure } from '../../service/test-transport.ts';
import { openStage } from '../../operations/stage.ts';
import { inputOf, serve } from './service-input.ts';

describe('an answer to a change', () => {
  it('about another instance under an older field name is not a success', async () => {
    const server = await serve(inputOf('reboot-older-field'));
    const client = createServiceClient({ baseUrl: server.url, apiKeys: () => ['key-1'] });
    onTestFinished(() => client.close());
    const call = { correlationId: 'c-1' };
    const web1 = { project: 1, region: 2, id: '6c6aa80f-7836-4dc2-a2ae-125e248be476' };
    const error = await failure(client.changeInstance(web1, 'reboot', call));
    expect([error.outcome, error.message]).toEqual([
      'unknown-outcome',
      expect.stringContaining('about another instance'),
    ]);
    const db9 = { ...web1, id: '11111111222243338444555555555555' };
    expect((await client.changeInstance(db9, 'reboot', call)).value.instance?.status).toBe('REBOOT');
  });

  it.each([
    ['event-small-uuid', 'Event posted: reaching_used_space', 'good'],
    ['event-uuid-in-braces', 'Event posted: reaching_used_space', 'good'],
    ['event-other-limit', 'Event posted, but with a different limit: reaching_used_space', 'unsure'],
  ])('of a storage event, %s, is read', async (file, title, tone) => {
    const stage = await openStage({ serviceUrl: (await serve(inputOf(file))).url });
    const uuid = file.includes('uuid') ? ' --uuid 3F2B1C9E-8A4D-4E5F-9C7B-0A1B2C3D4E5F' : '';
    const ended = await stage.change(
      `/storage post reaching_used_space --bucket media --storage main --bytes 10GB${uuid}`,
    );
    expect([ended.state, ended.outcome?.report?.title, ended.outcome?.report?.tone]).toEqual([
      'succeeded',
      title,
      tone,
    ]);
  });
});
