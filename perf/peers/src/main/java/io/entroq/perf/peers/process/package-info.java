/**
 * Servers in processes of their own: start, wait until they listen, pause, and kill with all
 * descendants. Each object is for one thread.
 */
package io.entroq.perf.peers.process;
