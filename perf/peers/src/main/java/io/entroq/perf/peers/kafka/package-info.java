/** Kafka as a peer: a share group on a broker of our own. */
package io.entroq.perf.peers.kafka;
