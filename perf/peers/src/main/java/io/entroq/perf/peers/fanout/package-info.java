/** Topics with groups: EntroQ and Kafka in turns. */
package io.entroq.perf.peers.fanout;
