/** NATS JetStream as a peer: a work queue as a stream with a consumer that pulls. */
package io.entroq.perf.peers.nats;
