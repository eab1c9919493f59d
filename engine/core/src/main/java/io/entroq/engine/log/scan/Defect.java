package io.entroq.engine.log.scan;

/**
 * What is wrong with a record or a run.
 *
 * @param isDamage whether no crash could have done it
 */
record Defect(String what, boolean isDamage) {}
