import type { Context } from 'hono';
import type { Workspace } from '../workspace.ts';

/**
 * `GET /schedule.ics`: who is on call, as a calendar service would answer a bot; 503 while the drill has taken it down.
 */
export function answerSchedule(workspace: Workspace, c: Context): Response {
  const at = workspace.clock.now();
  const calendar = workspace.schedule.calendar();
  const status = calendar === undefined ? 503 : 200;
  const response = calendar ?? 'The calendar is down (drill).';
  workspace.wire.record({
    direction: 'from-bot',
    at,
    duration_ms: workspace.clock.now() - at,
    name: 'schedule.ics',
    status,
    error: calendar === undefined ? 'service_unavailable' : '',
    retry: 0,
    request: '',
    response,
  });
  const type = calendar === undefined ? 'text/plain' : 'text/calendar';
  return c.body(response, status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
}
