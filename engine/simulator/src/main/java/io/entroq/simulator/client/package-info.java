/**
 * The clients of a simulated world: producers, workers, and some that break rules. They speak
 * through the real encoders and a bad network, know only what their own replies have told them, and
 * check all that can be checked from there: that an answer fits its request, that a request sent
 * again gets the first answer, that a task carries what was written, that no two hold it at once.
 *
 * <p>Everything here belongs to one world and runs on its one thread; equal seeds give equal
 * worlds.
 */
package io.entroq.simulator.client;
