/** Kafka as a peer: a share group on a broker in a process of its own. */
package io.entroq.perf.peers.kafka;
