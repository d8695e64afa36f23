import { describe, expect, test } from 'vitest';

import { renderCard } from '../../../src/slack/cards/render-card.ts';
import { renderDetails } from '../../../src/slack/cards/render-details.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';

const unknown = '1186668/76/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99';

/** An instance that the service has and the inventory does not, as project/region/id. */
async function existing(stage: ServiceStage): Promise<string> {
  const { csv } = await stage.report('/cloud list edge-cache-1');
  return String(csv?.rows[0]?.[0]);
}

async function proposed(stage: ServiceStage, line: string) {
  const answer = await stage.ask(line);
  if (answer.kind !== 'request') throw new Error(`it came to a ${answer.kind}`);
  return answer.request;
}

describe('an id that the inventory does not list', () => {
  test.each(['reboot', 'stop', 'start', 'suspend', 'resume', 'show'])(
    'is rejected by /cloud %s if it is not a UUID, or the service does not know it',
    async (verb) => {
      const stage = await openStage();
      expect(await stage.refusal(`/cloud ${verb} 1186668/76/web-9`)).toContain(
        '“web-9” is not an instance id, which is a UUID.',
      );
      expect(await stage.refusal(`/cloud ${verb} ${unknown}`)).toMatch(
        /The service has no instance|could not be found/u,
      );
      expect(await stage.store.list({ limit: 10 })).toEqual([]);
    },
  );

  test('is said on the card and in its details to be not in bellhop.yaml', async () => {
    const stage = await openStage();
    const request = await proposed(stage, `/cloud reboot ${await existing(stage)}`);
    const { operation, verb } = stage.entry('cloud.reboot');
    const card = renderCard(request, { operation, verb, done: 'succeeded', disclaimers: [] });
    expect(JSON.stringify(card.blocks)).toContain('not in bellhop.yaml');
    const details = renderDetails(request, { verb: 'reboot', disclaimers: [] });
    expect(JSON.stringify(details.blocks)).toContain('not in bellhop.yaml');
    expect((await stage.confirm(request)).state).toBe('succeeded');
    const listed = await proposed(stage, '/cloud reboot web-1');
    expect(JSON.stringify(renderDetails(listed, { verb: 'reboot', disclaimers: [] }).blocks)).not.toContain(
      'not in bellhop.yaml',
    );
  });

  test('is proposed with a note if the service does not say whether it has it', async () => {
    const stage = await openStage();
    const id = await existing(stage);
    await stage.control('PUT', 'faults/readInstance', { status: 403 });
    const { note } = await proposed(stage, `/cloud reboot ${id}`);
    expect(note).toBe("Bellhop couldn't check that this instance exists.");
  });

  test("is not read if the service can't be polled", async () => {
    const stage = await openStage({ extensions: [] });
    const request = await proposed(stage, `/cloud reboot ${unknown}`);
    expect([request.note, await stage.sent()]).toEqual([undefined, 0]);
  });
});
