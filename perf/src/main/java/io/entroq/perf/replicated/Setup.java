package io.entroq.perf.replicated;

import io.entroq.api.Durability;

/**
 * How members are set up.
 *
 * @param durability what a member has done before it says that it has a command
 * @param heartbeatMs time-out of the heartbeat, in milliseconds; 0: what is usual
 */
record Setup(Durability durability, int heartbeatMs) {}
