/** What snapshots cost those who use the engine meanwhile. */
package io.entroq.perf.snapshot;
