const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether a Host header names this machine; a page that a foreign name leads here (DNS rebinding) does not pass. */
export function hostIsLocal(host: string | undefined): boolean {
  return host !== undefined && LOCAL_NAMES.has(host.replace(/:\d+$/, '').toLowerCase());
}
