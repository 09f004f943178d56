/** Commands that the client answers by itself. Should the model answer one all the same, its first event shows that a turn began. */
const LOCAL: ReadonlySet<string> = new Set(
  `add-dir agents allowed-tools bashes branch bug checkpoint clear color compact config context continue copy cost desktop diff doctor effort exit
  export extra-usage fast feedback files fork help hooks ide install-github-app install-slack-app keybindings login logout marketplace mcp memory
  mobile model new output-style passes permissions plugin plugins privacy-settings quit release-notes reload-plugins remote-control remote-env
  rename reset resume rewind sandbox settings skills stats status stickers tasks terminal-setup theme todos undo upgrade usage vim voice`.split(
    /\s+/,
  ),
);

export const isLocalCommand = (prompt: string): boolean => {
  const [, name = ''] = /^\s*\/([\w-]+)(?:\s|$)/.exec(prompt) ?? [];
  return LOCAL.has(name);
};
