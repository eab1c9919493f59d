/**
 * The clients of a simulated world: producers, workers, clients of docs, and some that break rules.
 * They use the real encoders and an unreliable network, know only what their own replies show, and
 * check it: an answer fits its request, a repeated request gets the first answer, a task carries
 * what was written, and no two clients hold it at once.
 *
 * <p>Everything here belongs to one world and runs on its thread. Equal seeds give equal worlds.
 */
package io.entroq.simulator.client;
