// `import` for files that `dist/start.cjs` loads, in place of Node: in them it would say that this is an experiment.
'use strict';
module.exports = (url) => import(url);
