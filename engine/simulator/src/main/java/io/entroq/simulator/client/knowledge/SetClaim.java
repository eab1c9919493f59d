package io.entroq.simulator.client.knowledge;

/**
 * A doc set that a client claims.
 *
 * @param key number of its key
 * @param omitsMembers whether the answer leaves out its docs
 */
public record SetClaim(int namespace, int key, boolean omitsMembers) {}
