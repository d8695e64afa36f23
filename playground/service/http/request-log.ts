/** One logged call of the interface. */
export interface LoggedRequest {
  /** By the service's own clock, ISO 8601. */
  readonly time: string;
  /** The endpoint's name; null if no endpoint was called. */
  readonly endpoint: string | null;
  readonly method: string;
  readonly path: string;
  readonly request_id: string | null;
  /** The status of the answer; null while the call is in flight. */
  status: number | 'reset' | 'hang' | null;
}

const maxKept = 500;

/** The last calls of the interface, and the number of all calls. */
export interface RequestLog {
  add(request: Omit<LoggedRequest, 'status'>): LoggedRequest;
  list(): { requests: LoggedRequest[]; totals: Record<string, number> };
  clear(): void;
}

/** A log of the last 500 calls, empty at first. Calls of no endpoint count as `none`. */
export const createRequestLog = (): RequestLog => {
  let requests: LoggedRequest[] = [];
  let totals: Record<string, number> = {};
  return {
    add: (request) => {
      const logged: LoggedRequest = { ...request, status: null };
      requests.push(logged);
      if (requests.length > maxKept) requests.shift();
      const name = request.endpoint ?? 'none';
      totals[name] = (totals[name] ?? 0) + 1;
      return logged;
    },
    list: () => ({ requests, totals }),
    clear: () => {
      requests = [];
      totals = {};
    },
  };
};
