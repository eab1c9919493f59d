/**
 * Listings in slices. A cursor, such as {@link io.entroq.engine.listing.TaskCursor}, holds the
 * query and the position; a lister continues from there for a given effort, between commands.
 * Listings change nothing.
 *
 * <p>Tasks and queues keep their slots for life, so a walk over the slots shows each item that
 * stays exactly once, wherever commands move it meanwhile. Docs are listed in key order; a {@link
 * io.entroq.engine.doc.DocPosition} keeps the position while docs change.
 *
 * <p>Any thread may create a cursor, which then belongs to one thread at a time. Listers belong to
 * the applying thread.
 */
package io.entroq.engine.listing;
