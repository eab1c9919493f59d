package io.entroq.simulator.planted;

/**
 * A bug was caught.
 *
 * @param invariant what it broke
 * @param hours how many had passed in the worlds of that trial, one after the other
 */
record Sighting(String invariant, double hours) {}
