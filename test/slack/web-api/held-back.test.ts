import { expect, onTestFinished, test } from 'vitest';

import { createSlackLanes } from '../../../src/slack/web-api/web-client.ts';
import { delayOf } from '../../../src/slack/web-api/slack-error.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { fakeSlack, status } from '../fake-slack.ts';
import { recordingLog } from '../../log.ts';

test('a burst that Slack holds back is one line of the log a minute', async () => {
  const slack = await fakeSlack();
  onTestFinished(() => slack.close());
  const clock = createDrivenClock();
  slack.answers = [status(429, { 'retry-after': '30' })];
  const log = recordingLog();
  const { apiUrl: slackApiUrl } = slack;
  const limited = createSlackLanes({ token: () => 'xoxb-token', slackApiUrl, clock, log });
  onTestFinished(() => limited.close());
  const post = () => limited.background.postMessage('C0OPS', { text: 'fallback', blocks: [] });
  for (let at = 0; at < 50; at += 1)
    await expect(post()).rejects.toSatisfy((error: unknown) => delayOf(error).quiet);
  const said = () => log.lines.map((line) => [line.level, line.message, line.details]);
  const held = 'Slack rate limit: calls are delayed and retried';
  expect(said()).toEqual([['warn', held, { method: 'chat.postMessage', channel: 'C0OPS', calls: 1 }]]);
  await clock.advance(60_000);
  await expect(post()).rejects.toSatisfy((error: unknown) => delayOf(error).quiet);
  expect(said()).toHaveLength(2);
  expect(said()[1]).toEqual(['warn', held, { method: 'chat.postMessage', channel: 'C0OPS', calls: 50 }]);
});
