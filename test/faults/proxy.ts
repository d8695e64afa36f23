import { startRelay, type Answer, type Around, type Passed, type Relay } from '../program/relay.ts';

/** A proxy between two programs whose faults can be changed at any moment. */
export interface Passage extends Relay {
  /** Sets the fault of the traffic from now on. Undefined: everything passes. */
  meet(trouble: Around | undefined): void;
}

/**
 * @param target the origin to which requests are passed on
 * @param answered answers requests here instead of passing them on
 */
export async function openPassage(
  target: () => string,
  answered: (passed: Passed) => Answer | undefined = () => undefined,
): Promise<Passage> {
  let trouble: Around | undefined;
  const relay = await startRelay(target, (passed, forward) => {
    const arrive: typeof forward = async (way) => answered(passed) ?? forward(way);
    return trouble ? trouble(passed, arrive) : arrive();
  });
  return {
    ...relay,
    meet(next) {
      trouble = next;
    },
  };
}
