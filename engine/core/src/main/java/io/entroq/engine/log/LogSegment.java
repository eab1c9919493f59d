package io.entroq.engine.log;

import java.nio.file.Path;

/**
 * One file of a run.
 *
 * @param number position in the run, from 0
 */
public record LogSegment(long number, Path file) {}
