import { put } from '../support/scene.ts';
import { browserTest, picture, visit } from './browser.ts';
import { dialogOf, rewound, twoTurns } from './plan-scenes.ts';

browserTest('smoke', async () => {
  const played = await twoTurns();
  rewound(played, 't2');
  played.at.retake.json(played.at.workspace, 'undo', '--yes');
  put(played.at.workspace, 'mine.txt', 'more\n');
  const v = await visit(played.at);
  v.page.on('console', (m) => console.log(m.text()));
  await v.open('/rollbacks');
  await v.page.getByText('Go to the state before').first().waitFor();
  await picture(v, 'rollbacks');
  await v.page.getByText('Go to the state before').first().click();
  await dialogOf(v.page).getByText('What changes').waitFor();
  await picture(v, 'rollback-dialog');
});
