/**
 * Keeps a data directory small and its next start fast: decides when a snapshot is due, writes it
 * while commands continue, and removes obsolete files.
 *
 * <p>The applying thread calls {@link io.entroq.engine.maintenance.Maintenance}. A {@link
 * io.entroq.engine.maintenance.MaintenanceRunner} decides where files are written and removed: on a
 * separate thread, or step by step in a simulated world.
 */
package io.entroq.engine.maintenance;
