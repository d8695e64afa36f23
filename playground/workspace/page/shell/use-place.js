import { useEffect, useState } from 'preact/hooks';

/** @returns {string} */
function addressHash() {
  const written = location.hash.slice(1);
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/**
 * The person's place in the workspace, kept in the page's URL, `#C0OPS` or `#C0OPS/1763784000.000100`: a channel's id or
 * `home`, "" at first, and the thread that a link leads to.
 * @returns {{ place: string, thread: string | undefined }}
 */
export function usePlace() {
  const [hash, setHash] = useState(addressHash);
  useEffect(() => {
    const follow = () => setHash(addressHash());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const [place = '', thread] = hash.split('/');
  return { place, thread };
}
