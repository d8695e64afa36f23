import type { RegionRef } from './cloud.ts';
import { jsonObject, readReply } from './errors/reply.ts';
import type { CallContext } from './http/sender.ts';
import type { Transport } from './http/transport.ts';
import { callOf } from './request-path.ts';
import { type InstanceTaskType, taskListRead, taskRead } from './schemas/task.ts';

/** Tasks of a type that were created in a period. Times are epoch milliseconds, both included. */
interface TaskFilter extends RegionRef {
  readonly type: InstanceTaskType;
  readonly from: number;
  readonly to: number;
}

const mostOnPage = '1000';

/** The extension `tasks`; only for a service that has it. Each @throws ServiceError */
export function taskCalls(transport: Transport) {
  return {
    readTask: async (id: string, call: CallContext) =>
      transport.call(callOf('readTask', { id }), call, (accepted) => {
        const json = jsonObject(accepted);
        if (json['id'] !== id) throw accepted.refuse('it is about another task');
        return readReply(accepted, taskRead, json);
      }),
    /**
     * The newest first, at most 1000. `count` is undefined where the service does not say;
     * `serviceTime` is when it answered by its own clock, cut to the second.
     */
    async listTasks({ project, region, type, from, to }: TaskFilter, call: CallContext) {
      const query = {
        from_timestamp: new Date(from).toISOString(),
        to_timestamp: new Date(to).toISOString(),
        project_id: String(project),
        region_id: String(region),
        task_type: type,
        order_by: 'desc',
        limit: mostOnPage,
      };
      return transport.call(callOf('listTasks', {}, { query }), call, (accepted) => {
        const json = jsonObject(accepted);
        if (!Array.isArray(json['results'])) throw accepted.refuse('it holds no list');
        const { value, ...rest } = readReply(accepted, taskListRead, json);
        const { count, results = [] } = value;
        return { ...rest, value: { count, results, serviceTime: accepted.serviceTime } };
      });
    },
  };
}
