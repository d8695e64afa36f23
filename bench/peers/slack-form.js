import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = createSecretKey(process.env.SLACK_SIGNING_SECRET, 'utf8');

/** The least that an HTTP handler of Slack's commands does: reads the body, checks its HMAC, parses the form. */
export function serveCommands(onCommand) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const timestamp = String(request.headers['x-slack-request-timestamp']);
      const digest = createHmac('sha256', key).update(`v0:${timestamp}:`).update(body).digest();
      const claimed = Buffer.from(request.headers['x-slack-signature'].slice(3), 'hex');
      if (!timingSafeEqual(digest, claimed)) return void response.writeHead(401).end();
      const form = new URLSearchParams(body.toString());
      onCommand(form, () => response.writeHead(200, { 'Content-Length': 0 }).end());
    });
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
}
