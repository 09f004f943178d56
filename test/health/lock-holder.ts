import { Lock } from '../../src/host/index.ts';

// Holds a workspace's lock until somebody says that it is enough.
const lock = new Lock(process.argv[2] ?? '');
await lock.hold(async () => {
  process.stdout.write('held\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
});
lock.close();
process.stdin.destroy();
