import { Box, render, Text, useInput, usePaste, useWindowSize } from 'ink';
import { useEffect, useState } from 'react';
import type { Workspace } from '../../engine/index.ts';
import { type Frame, frameOf } from './frame.ts';
import { keysFrom, pasted } from './keys.ts';
import { LoadRunner } from './load-runner.ts';
import type { Key } from './moving.ts';
import type { Outcome } from './order.ts';
import { pendingLoadsOf } from './pending-loads.ts';
import { press } from './press.ts';
import { receive, resize } from './receive.ts';
import { begin, type State } from './state.ts';
import { guardTerminal } from './terminal.ts';
import { steady } from './text.ts';

/** Where the state lives; whoever shows it is told of every change. */
class Desk {
  #state: State;
  #tell: (state: State) => void = () => {};
  readonly #runner: LoadRunner;

  constructor(workspace: Workspace, session: string | undefined, size: State['size']) {
    this.#state = begin(size);
    this.#runner = new LoadRunner(workspace, {
      session,
      onAnswer: (answer) => this.#become(receive(this.#state, answer)),
      onProgress: (progress) => this.#become({ ...this.#state, progress }),
    });
  }

  get state(): State {
    return this.#state;
  }

  watch(tell: (state: State) => void): void {
    this.#tell = tell;
    this.#runner.want(pendingLoadsOf(this.#state));
  }
  press(keys: readonly Key[]): void {
    for (const key of keys) if (!this.#state.isOver) this.#become(press(this.#state, key));
  }
  resize(size: State['size']): void {
    this.#become(resize(this.#state, size));
  }
  /** Ends whatever goes on, and returns when it has ended. */
  async close(): Promise<void> {
    this.#tell = () => {};
    this.press([{ is: 'ctrl-c' }]);
    await this.#runner.close();
  }

  #become(state: State): void {
    this.#state = state;
    this.#runner.want(state.isOver ? [] : pendingLoadsOf(state));
    this.#tell(state);
  }
}

const Picker = ({ desk, onOver }: { readonly desk: Desk; readonly onOver: () => void }) => {
  const [state, setState] = useState(desk.state);
  const { columns, rows } = useWindowSize();
  useEffect(() => desk.watch(setState), [desk]);
  useEffect(() => desk.resize({ columns, rows }), [desk, columns, rows]);
  useEffect(() => {
    if (state.isOver) onOver();
  }, [state.isOver, onOver]);
  useInput((input, key) => desk.press(keysFrom(input, key)));
  usePaste((text) => desk.press(pasted(text)));
  return <Screen frame={frameOf(state, Date.now())} size={state.size} />;
};

const Screen = ({ frame, size }: { readonly frame: Frame; readonly size: State['size'] }) => (
  <Box flexDirection="column" width={size.columns} height={size.rows} overflow="hidden">
    <Lines lines={frame.header} />
    <Box flexGrow={1} overflow="hidden">
      {frame.columns.map(({ width, lines }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name than its place
        <Box key={at} flexDirection="column" width={width} flexShrink={0} overflow="hidden">
          <Lines lines={lines} />
        </Box>
      ))}
    </Box>
    <Lines lines={frame.notice} />
    <Lines lines={frame.footer} />
  </Box>
);

const Lines = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its place
    <Box key={at} height={1} flexShrink={0}>
      <Text wrap="truncate-end">{line === '' ? ' ' : steady(line)}</Text>
    </Box>
  ));

/** What is told again where it stays: what was done, and what was not. */
interface Told {
  readonly outcomes: readonly Outcome[];
  readonly notice: string | null;
}

/** The picker on the whole screen of a terminal. */
export const openScreen = async (workspace: Workspace, session: string | undefined): Promise<Told> => {
  const { columns = 80, rows = 24 } = process.stdout;
  const desk = new Desk(workspace, session, { columns, rows });
  const guard = guardTerminal();
  try {
    const instance = render(<Picker desk={desk} onOver={() => instance.unmount()} />, {
      alternateScreen: true,
      exitOnCtrlC: false,
      interactive: true,
      patchConsole: false,
    });
    guard.onLost(() => instance.unmount());
    await instance.waitUntilExit();
  } finally {
    guard.release();
    await desk.close();
  }
  return desk.state;
};
