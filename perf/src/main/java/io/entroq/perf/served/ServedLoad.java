package io.entroq.perf.served;

/**
 * A load that is measured.
 *
 * @param name for the report
 * @param connections each with one call under way
 * @param batch how many tasks each call is about
 * @param floor tasks through the cycle in a second, at the least
 */
record ServedLoad(String name, int connections, int batch, int floor) {}
