package io.entroq.perf.replicated;

import io.entroq.api.Durability;
import java.util.List;

/**
 * How members are set up.
 *
 * @param durability what a member has done before it says that it has a command
 * @param heartbeatMs time-out of the heartbeat, in milliseconds; 0: what is usual
 * @param flags of their JVMs, besides those that they need
 */
record Setup(Durability durability, int heartbeatMs, List<String> flags) {}
