/**
 * Commands from a seed, skewed towards trouble: few names, so that requests collide; wrong
 * versions, leases of others, retries, late cancels, odd times and sizes.
 *
 * <p>The generator looks at the model to aim at tasks that exist; nothing else feeds it, so that
 * one seed gives the same commands as long as the engine answers the same. One thread at a time.
 */
package io.entroq.simulator.workload;
