import axios from 'axios';

/** @returns {Promise<unknown>} */
export const read = async (url, headers) => {
  const { data } = await axios.get(url, { headers });
  return data;
};
