/** Plain node:http: body, HMAC, form, 200. */
import { serveCommands } from './slack-form.js';

serveCommands((form, ack) => {
  if (form.get('command') !== null) ack();
});
