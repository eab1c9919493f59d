/**
 * Checks free disk space and refuses writes in steps before it runs out, so that the engine neither
 * crashes in a memory-mapped write nor leaves half a record.
 *
 * <p>The guard belongs to the applying thread and allocates only when it refuses. Any thread may
 * read its state.
 */
package io.entroq.engine.space;
