/**
 * What a peer is to the runner: something that is started in a directory at a class of durability,
 * has queues, and lets each caller insert, claim and commit.
 *
 * <p>The runner starts and closes servers on one thread; sessions belong to one caller each.
 */
package io.entroq.perf.peers.peer;
