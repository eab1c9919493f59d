/**
 * Logs that were written once and that every later build must replay to the same digests.
 *
 * <p>Used by tests, and by the one who raises the behavior level; one thread.
 */
package io.entroq.simulator.golden;
