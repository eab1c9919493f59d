/**
 * Off-heap building blocks of the stores: fixed-size records by slot ({@link
 * io.entroq.engine.memory.Slab}), blocks by size class ({@link io.entroq.engine.memory.Arena}),
 * hash indexes and heaps of slots. Also the chunks of a state image, which is the content of a
 * snapshot: the stores write their items with {@link io.entroq.engine.memory.ChunkWriter} and read
 * them back with {@link io.entroq.engine.memory.ChunkReader}, which checks a value before it is
 * used.
 *
 * <p>Only the stores and the state machine call this, on the thread that applies commands. An image
 * is written on another thread, from what a freeze has kept. Nothing here allocates per operation;
 * memory grows by chunks. Capacities and slot numbers never influence what a caller of the state
 * machine can see.
 */
package io.entroq.engine.memory;
