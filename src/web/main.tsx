import { createRoot } from 'react-dom/client';
import './theme.css';
import { App } from './app.tsx';
import { loadTheRest } from './shell/lazy-view.tsx';

/**
 * web: the page, a face in the browser. It asks the server by the contract in `api`, and shows what it answers; nothing of it is decided here.
 */
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);

/** Milliseconds until nobody waits for the first view any more. */
const SETTLED = 3000;
setTimeout(() => void loadTheRest(), SETTLED);
