import { startRelay, type Answer, type Around, type Passed, type Relay } from '../program/relay.ts';

/** A way between two programs on which things can go wrong, from one moment to the next. */
export interface Passage extends Relay {
  /** The treatment of traffic from now on; undefined: it passes. */
  meet(trouble: Around | undefined): void;
}

/**
 * @param target the origin that requests go on to
 * @param answered what is answered here instead of being passed on
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
