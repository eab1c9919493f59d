package io.entroq.perf.peers.kafka;

import io.entroq.load.LoadSession;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/** One member of the group. */
final class KafkaSession implements LoadSession {
  private static final Duration JOIN_LIMIT = Duration.ofSeconds(15);

  /** The first announces the member, the answer to the second assigns partitions. */
  private static final double HEARTBEATS = 3;

  private static final Duration WAIT = Duration.ofMillis(200);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
  private static final int SEND_SECONDS = 15;

  /** Acquired but not claimed yet: a poll may return more than requested. */
  private final Queue<ConsumerRecord<byte[], byte[]>> acquired = new ArrayDeque<>();

  private final List<ConsumerRecord<byte[], byte[]>> claimed = new ArrayList<>();
  private final KafkaProducer<byte[], byte[]> producer;
  private final boolean isOwn;
  private final KafkaShareConsumer<byte[], byte[]> consumer;
  private final String topic;

  /**
   * Joins the group.
   *
   * @param isOwn whether the producer belongs to this session and is closed with it
   */
  KafkaSession(
      KafkaProducer<byte[], byte[]> producer,
      boolean isOwn,
      KafkaShareConsumer<byte[], byte[]> consumer,
      String topic)
      throws TimeoutException {
    this.producer = producer;
    this.isOwn = isOwn;
    this.consumer = consumer;
    this.topic = topic;
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
  public void insert(List<byte[]> values)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<Future<RecordMetadata>> sent = new ArrayList<>(values.size());
    for (byte[] value : values) {
      sent.add(producer.send(new ProducerRecord<>(topic, value)));
    }
    if (isOwn) {
      // Sends all records at once; a shared producer would wait for the records of others.
      producer.flush();
    }
    for (Future<RecordMetadata> record : sent) {
      record.get(SEND_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public List<byte[]> claim(int limit) {
    claimed.clear();
    if (acquired.isEmpty()) {
      poll(WAIT);
    }
    while (claimed.size() < limit && !acquired.isEmpty()) {
      claimed.add(acquired.remove());
    }
    return claimed.stream().map(ConsumerRecord::value).toList();
  }

  private void poll(Duration wait) {
    consumer.poll(wait).forEach(acquired::add);
  }

  @Override
  public void commit() {
    claimed.forEach(consumer::acknowledge);
    for (Optional<KafkaException> failure : consumer.commitSync().values()) {
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }

  @Override
  public void close() {
    consumer.close(CLOSE_LIMIT);
    if (isOwn) {
      producer.close(CLOSE_LIMIT);
    }
  }
}
