/**
 * Keeps a data directory small and its next start fast: decides when a snapshot is due, has it
 * written while commands continue, and removes what is obsolete.
 *
 * <p>The applying thread calls {@link io.entroq.engine.maintenance.Maintenance}. A {@link
 * io.entroq.engine.maintenance.MaintenanceRunner} decides where files are written and removed: on a
 * thread of its own, or step by step in a simulated world.
 */
package io.entroq.engine.maintenance;
