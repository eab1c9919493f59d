/**
 * Finds bugs: builds a whole world (clock, disk, network, clients) from one seed around the real
 * engine, and checks that the queue keeps its guarantees.
 *
 * <p>Called by tests and the command line. A world runs on one thread, so a seed replays exactly.
 */
package io.entroq.simulator;
