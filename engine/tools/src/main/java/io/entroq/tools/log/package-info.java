/**
 * What an operator reads in a data directory: dump, verification and statistics, as JSON lines.
 *
 * <p>Called by the command line, on one thread. It only reads, and registers as a reader of the
 * log, so it may be used beside a running engine; whatever the bytes are, it prints what is good
 * and says what is not.
 */
package io.entroq.tools.log;
