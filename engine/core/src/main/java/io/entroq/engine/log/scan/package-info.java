/**
 * Reads a log back: walks the bytes of its segment files and believes nothing but our own
 * checksums, sequences and positions.
 *
 * <p>Recovery and every tool that reads a log use this, on any thread, beside a running engine too.
 * Tells a tail that a crash has torn from damage, and never gives out a record that is not the next
 * one.
 */
package io.entroq.engine.log.scan;
