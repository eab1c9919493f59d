/**
 * Off-heap building blocks of the stores: fixed-size records by slot, blocks by size class, hash
 * indexes and heaps of slots.
 *
 * <p>Called by the stores only, on the one thread that applies commands; but what a freeze keeps is
 * read on another one. Nothing here allocates per operation; memory grows by chunks. Capacities and
 * slot numbers never influence anything that a caller of the state machine can see.
 */
package io.entroq.engine.memory;
