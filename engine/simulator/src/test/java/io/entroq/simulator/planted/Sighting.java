package io.entroq.simulator.planted;

/**
 * A bug was caught.
 *
 * @param invariant the violated invariant
 * @param hours simulated time of the trial's worlds
 */
record Sighting(String invariant, double hours) {}
