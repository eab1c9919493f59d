/**
 * Decides how much of the log is kept: removes segments that nobody needs, and tracks the readers
 * that still need some.
 *
 * <p>Called on any one thread beside the appending one. Readers may also register from other
 * processes.
 */
package io.entroq.engine.log.retention;
