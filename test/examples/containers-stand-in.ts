import type { Call, Reply } from './stand-in.ts';

/** A frame of output (1) or errors (2), as Docker sends it for a container without a terminal. */
function frame(stream: 1 | 2, text: string): Buffer {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(8);
  head[0] = stream;
  head.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

/** Answers as Docker 20.10.24 did, recorded on Debian 12. */
export function containersStandIn() {
  const web = {
    Id: 'f00dfeed',
    Name: '/web',
    Config: { Image: 'shop/web:1.4', Tty: false },
    State: {
      Status: 'running',
      StartedAt: '2026-11-28T10:00:00.123456789Z',
      ExitCode: 0,
      // As Podman 4.3.1 has it for a container without a health check. Docker omits it.
      Health: { Status: '' },
    },
  };
  let logs: Buffer = Buffer.alloc(0);
  let [restarts, stops] = [0, 0];
  const answer = ({ method, path }: Call): Reply => {
    const [route = ''] = path.split('?');
    switch (`${method} ${route}`) {
      case 'GET /containers/json':
        return {
          status: 200,
          body: [
            {
              Id: web.Id,
              Names: [web.Name],
              Image: web.Config.Image,
              State: web.State.Status,
              Status: 'Up 2 hours',
            },
          ],
        };
      case 'GET /containers/web/json':
        return { status: 200, body: web };
      case 'GET /containers/web/logs':
        return { status: 200, body: logs };
      case 'POST /containers/web/restart':
        restarts += 1;
        web.State = { ...web.State, Status: 'running', StartedAt: `2026-11-28T12:00:0${restarts}.5Z` };
        return { status: 204 };
      case 'POST /containers/web/stop':
        stops += 1;
        web.State = { ...web.State, Status: 'exited', ExitCode: 137 };
        return { status: 204 };
      default:
        return { status: 404, body: { message: `No such container: ${route.split('/')[2]}` } };
    }
  };
  return {
    answer,
    counts: () => ({ restarts, stops }),
    write(stream: 1 | 2, text: string): void {
      logs = Buffer.concat([logs, frame(stream, text)]);
    },
    terminal(text: string): void {
      web.Config.Tty = true;
      logs = Buffer.from(text);
    },
  };
}
