/** Hubot's core with `COUNT` listeners, of which only the last matches, behind the same HTTP code as the bare handler. */
import { Adapter, Robot, TextMessage } from 'hubot';

import { serveCommands } from './slack-form.js';

const acks = new Map();

class FormAdapter extends Adapter {
  async run() {
    this.emit('connected');
  }

  async reply({ message }) {
    acks.get(message.id)?.();
    acks.delete(message.id);
  }
}

const robot = new Robot(new FormAdapter(), false, 'bellhop');
for (let number = 1; number <= Number(process.env.COUNT); number += 1) {
  robot.respond(new RegExp(`op-${number} (.*)$`, 'i'), async (response) => {
    await response.reply('');
  });
}
await robot.run();
serveCommands((form, ack) => {
  const id = form.get('trigger_id');
  acks.set(id, ack);
  const user = robot.brain.userForId(form.get('user_id'), { room: form.get('channel_id') });
  const text = `bellhop ${form.get('command').slice(1)} ${form.get('text')}`;
  void robot.receive(new TextMessage(user, text, id));
});
