/**
 * A run: which peers are measured when, starting and stopping them around their turns, and what
 * happens when one fails or hangs.
 */
package io.entroq.perf.peers.run;
