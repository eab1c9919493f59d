/**
 * How much of the log is kept: removes segments that nobody needs any more, and knows of the
 * readers that still need some.
 *
 * <p>Called on any one thread beside the appending one, also from other processes where that is
 * said.
 */
package io.entroq.engine.log.retention;
