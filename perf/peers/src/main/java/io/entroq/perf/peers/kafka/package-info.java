/**
 * Kafka as a peer: a share group on one broker or with copies on three, each in a process of its
 * own.
 */
package io.entroq.perf.peers.kafka;
