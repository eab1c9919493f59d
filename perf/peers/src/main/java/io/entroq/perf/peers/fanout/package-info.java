/**
 * Topics with groups: EntroQ and Kafka in turns. A package of its own because peers are compared
 * here by topics, and everywhere else by queues.
 */
package io.entroq.perf.peers.fanout;
