/**
 * A disk in memory, as a file system of {@code java.nio.file}, whose processes die, whose power
 * fails and which breaks as it is told: {@link io.entroq.simulator.disk.SimulatedDisk}. The engine
 * uses it as any other.
 *
 * <p>What processes write goes to a page cache that outlives them; what they force is on the disk
 * and outlives a loss of power. One thread.
 */
package io.entroq.simulator.disk;
