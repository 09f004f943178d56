import { type DemoPlace, demoEnvironment, demoPlace, quote, removePlace, usualRoot } from './place.ts';
import { requireGit, serveTo } from './program.ts';
import { playStory } from './story.ts';

const say = (line: string): void => console.log(line);

/** Plays the story, serves it, and tells what to try. */
export const demonstrate = async (): Promise<void> => {
  requireGit();
  const place = demoPlace(usualRoot());
  if (removePlace(place)) say(`The last demo was removed from ${place.root}`);
  say(`An agent works on a small shop in ${place.shop}, and the hooks of Claude Code tell Retake of each step:`);
  say('');
  await playStory(place, (line) => say(`  ${line}`));
  say('');
  say('The last turn went wrong: all that was not committed is gone, and the key in .env too. It is all recorded.');
  say('');
  serveTo({ cwd: place.shop, env: demoEnvironment(place) }, say);
  suggest(place);
};

const suggest = ({ command, shop, data, agent }: DemoPlace): void => {
  const retake = quote(command);
  say(`Three things to try:

    open the link: the session, turn by turn; point at a prompt to rewind to it
    ${retake}          pick turn 5 and see what goes back; Enter brings back what is gone, u takes that back
    ${retake} forks    the two ways that the conversation took, each with its code

${retake} is bin/retake with
    RETAKE_HOME=${quote(data)} CLAUDE_CONFIG_DIR=${quote(agent)}
in ${shop}. Your own records, settings and sessions are not touched.

It ends by itself after half an hour without use. To end it now and remove all of it: npm start -- --stop
To protect a project of yours: npm start -- DIR`);
};

export const endDemonstration = (): void => {
  const place = demoPlace(usualRoot());
  say(removePlace(place) ? `The demo has ended, and ${place.root} is removed.` : 'There is no demo.');
};
