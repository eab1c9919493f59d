/** Redis as a peer: a stream with a consumer group, on a server of our own. */
package io.entroq.perf.peers.redis;
