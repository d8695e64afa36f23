/** Stock Bolt as its documentation has it, with `COUNT` commands, of which only the last is sent. */
import bolt from '@slack/bolt';

const app = new bolt.App({
  token: process.env.SLACK_BOT_TOKEN,
  signingSecret: process.env.SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
});
for (let number = 1; number <= Number(process.env.COUNT); number += 1) {
  app.command(`/op-${number}`, async ({ ack }) => {
    await ack();
  });
}
await app.start(Number(process.env.PORT));
