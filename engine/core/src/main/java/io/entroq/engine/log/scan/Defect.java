package io.entroq.engine.log.scan;

/**
 * A defect of a record or a run.
 *
 * @param isDamage whether a crash cannot have caused it
 */
record Defect(String what, boolean isDamage) {}
