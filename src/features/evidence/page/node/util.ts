type Done<T> = (error: Error | null, value?: T) => void;

/** Node's `promisify`, for functions whose last parameter is a callback. */
export const promisify =
  <A extends readonly unknown[], T>(work: (...all: [...A, Done<T>]) => void) =>
  (...args: A): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      work(...args, (error, value) => {
        if (error) reject(error);
        else resolve(value);
      });
    });
