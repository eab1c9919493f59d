/**
 * Off-heap building blocks of the stores: fixed-size records by slot ({@link
 * io.entroq.engine.memory.Slab}), blocks by size class ({@link io.entroq.engine.memory.Arena}),
 * hash indexes and heaps of slots. Also the chunks of a state image, the content of a snapshot: the
 * stores write items with {@link io.entroq.engine.memory.ChunkWriter} and read them with {@link
 * io.entroq.engine.memory.ChunkReader}, which checks every value before its use.
 *
 * <p>Only the stores and the state machine call this, on the applying thread. Another thread writes
 * an image from a frozen state. Nothing here allocates on the heap per operation; memory grows by
 * chunks. Capacities and slot numbers never affect what callers of the state machine see.
 */
package io.entroq.engine.memory;
