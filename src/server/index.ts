/**
 * server: the HTTP interface, a face in a thread of the daemon. From outside, only the thread is seen; what it is made of is loaded there.
 */
export { ServerThread } from './thread.ts';
