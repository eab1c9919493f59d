package io.entroq.perf.peers.kafka;

/** How a topic's groups keep what they have done. */
public enum KafkaGroups {
  /** Each message has a state of its own. */
  SHARE,
  /** A position in the log. */
  CONSUMER
}
