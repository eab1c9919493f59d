/**
 * What hunts: a whole world (clock, disk, network, clients) made from one seed around the real
 * engine, and the checkers that watch it.
 *
 * <p>Tests and the command line call this. A world runs on one thread, so that a seed replays
 * exactly.
 */
package io.entroq.simulator;
