// Read by any Node, however old: says in one line what is wrong, or starts the program.
'use strict';
var wanted = [22, 13];
var found = process.versions.node.split('.').map(Number);
if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  console.error(`retake: needs Node ${wanted.join('.')} or newer, this is ${process.versions.node}`);
  process.exit(1);
}
require('../dist/start.cjs');
