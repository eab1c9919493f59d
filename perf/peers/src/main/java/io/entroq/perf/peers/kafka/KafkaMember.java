package io.entroq.perf.peers.kafka;

import io.entroq.perf.peers.peer.Topic;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;

/** One member of a share group. */
final class KafkaMember implements Topic.Member {
  private static final Duration JOIN_LIMIT = Duration.ofSeconds(15);

  /** The first announces the member, the answer to the second assigns partitions. */
  private static final double HEARTBEATS = 3;

  private static final Duration WAIT = Duration.ofMillis(200);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  /** Acquired but not received yet: a poll may return more than requested. */
  private final Queue<ConsumerRecord<byte[], byte[]>> acquired = new ArrayDeque<>();

  private final List<ConsumerRecord<byte[], byte[]>> received = new ArrayList<>();
  private final KafkaShareConsumer<byte[], byte[]> consumer;

  /** Joins the group. */
  KafkaMember(KafkaShareConsumer<byte[], byte[]> consumer, String topic) throws TimeoutException {
    this.consumer = consumer;
    consumer.subscribe(List.of(topic));
    join();
  }

  /** Returns after the heartbeats that assign partitions to this member. */
  private void join() throws TimeoutException {
    long startNs = System.nanoTime();
    while (heartbeats() < HEARTBEATS) {
      if (System.nanoTime() - startNs > JOIN_LIMIT.toNanos()) {
        throw new TimeoutException(
            "not a member of the group after " + JOIN_LIMIT.toSeconds() + " s");
      }
      poll(WAIT);
    }
  }

  private double heartbeats() {
    return consumer.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("heartbeat-total"))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
  }

  @Override
  public List<byte[]> receive(int limit) {
    received.clear();
    if (acquired.isEmpty()) {
      poll(WAIT);
    }
    while (received.size() < limit && !acquired.isEmpty()) {
      received.add(acquired.remove());
    }
    return received.stream().map(ConsumerRecord::value).toList();
  }

  private void poll(Duration wait) {
    consumer.poll(wait).forEach(acquired::add);
  }

  @Override
  public void commit() {
    received.forEach(consumer::acknowledge);
    for (Optional<KafkaException> failure : consumer.commitSync().values()) {
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }

  @Override
  public void close() {
    consumer.close(CLOSE_LIMIT);
  }
}
