/** Sends one command, and waits only until its bytes have left. */
export async function say(url: string, command: string): Promise<void> {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(url);
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', reject).end(`${command}\r\n`, () => {
      socket.destroy();
      resolve();
    });
  });
}
