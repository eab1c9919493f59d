/** Redis as a peer: a stream with a consumer group. */
package io.entroq.perf.peers.redis;
