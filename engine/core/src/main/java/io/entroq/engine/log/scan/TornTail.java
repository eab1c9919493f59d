package io.entroq.engine.log.scan;

import java.nio.file.Path;

/**
 * An end that a crash has torn: what a cut record says.
 *
 * @param afterSequence the last good record
 * @param file the segment file in which the bad bytes begin
 * @param offset byte offset in the file
 * @param nonZeroBytes how many bytes from there on, in this segment and those behind it, are not
 *     zero
 * @param what what is wrong there
 */
public record TornTail(
    long afterSequence, Path file, long offset, long nonZeroBytes, String what) {}
