import { useEffect, useState } from 'preact/hooks';

/** @returns {string} */
function placeOfAddress() {
  return decodeURIComponent(location.hash.slice(1));
}

/**
 * Where in the workspace the person is, kept in the address: a channel's id or `home`; "" at first.
 * @returns {string}
 */
export function usePlace() {
  const [place, setPlace] = useState(placeOfAddress);
  useEffect(() => {
    const follow = () => setPlace(placeOfAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}
