import type { Store } from '../../src/store/store.ts';

/** The store of a process that can be killed. After `die`, calls are neither done nor answered, as after kill -9. */
export function mortal(store: Store): { readonly store: Store; die(): void } {
  let dead = false;
  const living = new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]): unknown =>
        dead ? new Promise(() => undefined) : Reflect.apply(method, target, given);
    },
  });
  return {
    store: living,
    die() {
      dead = true;
    },
  };
}
