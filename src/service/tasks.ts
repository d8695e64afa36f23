import type { RegionRef } from './cloud.ts';
import { endpoints } from './schemas/endpoints.ts';
import type { CallContext } from './http/sender.ts';
import type { Transport } from './http/transport.ts';
import { jsonObject, readReply, type Reply } from './errors/reply.ts';
import { requestPath } from './request-path.ts';
import { type InstanceTaskType, taskListRead, taskRead, type TaskRead } from './schemas/task.ts';

/** Tasks of a type that were created in a period. Times are epoch milliseconds, both included. */
export interface TaskFilter extends RegionRef {
  readonly type: InstanceTaskType;
  readonly from: number;
  readonly to: number;
}

export interface TaskPage {
  /** Of all that match, whatever the page holds; undefined where the service does not say. */
  readonly count: number | undefined;
  readonly results: readonly TaskRead[];
  /** By the service's clock, cut to the second: when it answered. */
  readonly serviceTime: number | undefined;
}

/** The extension `tasks`; only for a service that has it. Each @throws ServiceError */
export interface TaskCalls {
  readTask(id: string, call: CallContext): Promise<Reply<TaskRead>>;
  /** The newest first, at most 1000. */
  listTasks(filter: TaskFilter, call: CallContext): Promise<Reply<TaskPage>>;
}

const mostOnPage = 1000;

export function taskCalls(transport: Transport): TaskCalls {
  return {
    async readTask(id, call) {
      const path = requestPath(endpoints.readTask.path, { id });
      return transport.call({ endpoint: 'readTask', path }, call, (accepted) => {
        const json = jsonObject(accepted);
        if (json['id'] !== id) throw accepted.refuse('it is about another task');
        return readReply(accepted, taskRead, json);
      });
    },
    async listTasks({ project, region, type, from, to }, call) {
      const query = new URLSearchParams({
        from_timestamp: new Date(from).toISOString(),
        to_timestamp: new Date(to).toISOString(),
        project_id: String(project),
        region_id: String(region),
        task_type: type,
        order_by: 'desc',
        limit: String(mostOnPage),
      });
      const path = `${endpoints.listTasks.path}?${query.toString()}`;
      return transport.call({ endpoint: 'listTasks', path }, call, (accepted) => {
        const json = jsonObject(accepted);
        if (!Array.isArray(json['results'])) throw accepted.refuse('it holds no list');
        const { value, ...rest } = readReply(accepted, taskListRead, json);
        const { count, results = [] } = value;
        return { ...rest, value: { count, results, serviceTime: accepted.serviceTime } };
      });
    },
  };
}
