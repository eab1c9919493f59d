/**
 * An in-memory disk behind the {@code java.nio.file} API: {@link
 * io.entroq.simulator.disk.SimulatedDisk}. Its processes die, its power fails, and it injects
 * faults on demand. The engine uses it like any other file system.
 *
 * <p>Writes go to a page cache that survives the death of a process. Forced data also survives a
 * loss of power. One thread.
 */
package io.entroq.simulator.disk;
