/**
 * The log on disk, appended to through Chronicle Queue. The only code that knows Chronicle Queue.
 *
 * <p>Chronicle is the way to write and nothing else: its index, its metadata and its locks decide
 * nothing, and each opening gives it an empty directory. Reading back is the scanner's.
 */
package io.entroq.engine.log.chronicle;
