package io.entroq.perf.peers.kafka;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Shape;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic, the callers' share group, and perhaps the producer that they share. */
final class KafkaQueue implements LoadTarget {
  /** A setting of the group, not of its members. */
  static final String OFFSET_RESET = "share.auto.offset.reset";

  private static final int BATCH_LINGER_MS = 5;
  private static final Duration START_LIMIT = Duration.ofSeconds(20);

  /** A setting of the producer. */
  static final String LINGER = "linger.ms";

  /** Whether a member acquires single records or whole batches of the producer. */
  static final String ACQUIRE_MODE = "share.acquire.mode";

  private static final List<String> PRODUCER = List.of("acks", "batch.size");
  private static final List<String> CONSUMER = List.of("share.acknowledgement.mode");

  private final String addresses;
  private final String topic;
  private final Map<String, String> settings;
  private final Shape shape;
  private final Optional<KafkaProducer<byte[], byte[]>> shared;

  KafkaQueue(String addresses, String topic, Map<String, String> settings, Shape shape) {
    this.addresses = addresses;
    this.topic = topic;
    this.settings = settings;
    this.shape = shape;
    shared = shape.isSynchronous() ? Optional.of(producer()) : Optional.empty();
  }

  /** A shared producer batches the single records of all callers. */
  KafkaProducer<byte[], byte[]> producer() {
    Map<String, Object> properties = properties(PRODUCER);
    properties.put(LINGER, shape.isSynchronous() ? 0 : BATCH_LINGER_MS);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Takes one task through a cycle, which creates the group and takes seconds. */
  KafkaQueue prepared() throws InterruptedException, ExecutionException, TimeoutException {
    try (KafkaSession first = open(0)) {
      first.insert(List.of(new byte[1]));
      long startNs = System.nanoTime();
      while (first.claim(1).isEmpty()) {
        if (System.nanoTime() - startNs > START_LIMIT.toNanos()) {
          throw new TimeoutException(
              "the group has received nothing after " + START_LIMIT.toSeconds() + " s");
        }
      }
      first.commit();
    }
    return this;
  }

  Map<String, Object> properties(List<String> names) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", addresses);
    names.forEach(name -> properties.put(name, settings.get(name)));
    return properties;
  }

  @Override
  public KafkaSession open(int caller) throws TimeoutException {
    KafkaMember member = member(topic);
    return shared.isPresent()
        ? new KafkaSession(shared.get(), false, member, topic)
        : new KafkaSession(producer(), true, member, topic);
  }

  /** Joins a share group. */
  KafkaMember member(String group) throws TimeoutException {
    Map<String, Object> properties = properties(CONSUMER);
    properties.put(ACQUIRE_MODE, shape.isSynchronous() ? "record_limit" : "batch_optimized");
    properties.put("group.id", group);
    properties.put("max.poll.records", shape.batch());
    KafkaShareConsumer<byte[], byte[]> consumer =
        new KafkaShareConsumer<>(
            properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    return new KafkaMember(consumer, topic);
  }

  @Override
  public void close() {
    shared.ifPresent(KafkaProducer::close);
  }
}
