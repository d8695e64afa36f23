import type { Request } from '../../src/model/records/request.ts';
import { openOwnStage, type OwnStage } from './own-stage.ts';

// Mistakes that people make in files of operations, as they were reported for other tools that run a team's code.

export const key = 'hcloud-4f9a8c1e7b2d4f6a';

export const balancers = (value = key) =>
  openOwnStage({
    file: 'load-balancer.ts',
    secrets: { BELLHOP_SECRET_LB: value },
    yaml: 'targets: { balancer: { front: { url: "URL", closed: "CLOSED" } } }',
  });

export async function change(stage: OwnStage, line: string): Promise<Request> {
  const request = await stage.propose('alice', line);
  await stage.click('alice', request, 'confirm');
  for (;;) {
    const now = await stage.find(request);
    if (now.state !== 'running') return now;
    await stage.clock.advance(1000);
  }
}
