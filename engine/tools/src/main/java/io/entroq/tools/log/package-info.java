/**
 * Dump, verification and statistics of a data directory, as JSON lines, and branches of it.
 *
 * <p>Called by the command line, on one thread. It only reads the directory, and registers as a
 * reader of the log, so it may run while an engine does. It prints what is intact and reports what
 * is not.
 */
package io.entroq.tools.log;
