package io.entroq.perf.peers.kafka;

import io.entroq.perf.peers.peer.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** The member of a consumer group, which reads a log and commits how far it is. */
final class KafkaReader implements Topic.Member {
  private static final Duration JOIN_LIMIT = Duration.ofSeconds(15);
  private static final Duration WAIT = Duration.ofMillis(200);

  private final KafkaConsumer<byte[], byte[]> consumer;

  /** Joins the group of a topic without messages. */
  KafkaReader(KafkaConsumer<byte[], byte[]> consumer, String topic) throws TimeoutException {
    this.consumer = consumer;
    consumer.subscribe(List.of(topic));
    long startNs = System.nanoTime();
    while (consumer.assignment().isEmpty()) {
      if (System.nanoTime() - startNs > JOIN_LIMIT.toNanos()) {
        throw new TimeoutException("no partition after " + JOIN_LIMIT.toSeconds() + " s");
      }
      consumer.poll(WAIT);
    }
  }

  @Override
  public List<byte[]> receive(int limit) {
    List<byte[]> values = new ArrayList<>(limit);
    consumer.poll(WAIT).forEach(message -> values.add(message.value()));
    return values;
  }

  @Override
  public void commit() {
    consumer.commitSync();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
