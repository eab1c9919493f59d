/**
 * Keeps a data directory small and its next opening quick: decides when a snapshot is due, has it
 * written beside the commands, and lets go what nothing needs any more.
 *
 * <p>{@link io.entroq.engine.maintenance.Maintenance} is called by the thread that applies
 * commands; writing and deleting happen where a {@link
 * io.entroq.engine.maintenance.MaintenanceRunner} says: on a thread of their own, or in the steps
 * of a world that has only one.
 */
package io.entroq.engine.maintenance;
