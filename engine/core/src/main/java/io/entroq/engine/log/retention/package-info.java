/**
 * Decides how much of the log is kept: removes segments that nobody needs, and tracks the readers
 * that still need some.
 *
 * <p>Called on any one thread besides the appending one. Other processes may register readers too.
 */
package io.entroq.engine.log.retention;
