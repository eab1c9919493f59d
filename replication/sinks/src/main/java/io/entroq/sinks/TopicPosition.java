package io.entroq.sinks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.api.feed.FeedPosition;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Finds the last position in a topic to which nobody writes. */
final class TopicPosition {
  private static final Duration POLL = Duration.ofSeconds(10);
  private static final Comparator<FeedPosition> ORDER =
      Comparator.comparingLong(FeedPosition::sequence).thenComparingInt(FeedPosition::index);

  private final Map<String, Object> settings = new HashMap<>();
  private final String topic;

  TopicPosition(Map<String, Object> common, String topic) {
    this.topic = topic;
    settings.putAll(common);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
  }

  /**
   * The greatest position of the last records of the partitions, as a transaction writes to any of
   * them. Empty if the topic never had a committed record.
   *
   * @throws SinkException if there is no topic, or it has lost its records
   */
  Optional<FeedPosition> read() {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      if (partitions.isEmpty()) {
        throw SinkException.permanent("topic %s does not exist; create it".formatted(topic));
      }
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      if (!ends.equals(endsOfAll(partitions))) {
        // An earlier sink's, which may be committed already: its records count.
        throw new TimeoutException("a transaction on " + topic + " has not come to its end");
      }
      Optional<FeedPosition> last =
          partitions.stream()
              .flatMap(one -> last(consumer, one, begins.get(one), ends.get(one)).stream())
              .max(ORDER);
      if (last.isEmpty() && begins.values().stream().anyMatch(begin -> begin > 0)) {
        throw SinkException.permanent(
            "topic %s had records, but none with a position is left, so effects may be missing;"
                    .formatted(topic)
                + " begin with another topic");
      }
      return last;
    }
  }

  /** The ends with what is not committed. */
  private Map<TopicPartition, Long> endsOfAll(List<TopicPartition> partitions) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(all)) {
      return consumer.endOffsets(partitions);
    }
  }

  /** Looks further and further back, as what was aborted and the ends of transactions count too. */
  private static Optional<FeedPosition> last(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long begin, long end) {
    Optional<FeedPosition> last = Optional.empty();
    long from = end;
    for (long back = 2; last.isEmpty() && from > begin; back *= 8) {
      from = Math.max(begin, end - back);
      consumer.assign(List.of(partition));
      consumer.seek(partition, from);
      while (consumer.position(partition) < end) {
        long before = consumer.position(partition);
        for (ConsumerRecord<byte[], byte[]> found : consumer.poll(POLL)) {
          Optional<FeedPosition> position = position(found);
          last = position.isPresent() ? position : last;
        }
        if (consumer.position(partition) == before) {
          throw new TimeoutException("nothing comes from " + partition);
        }
      }
    }
    return last;
  }

  private static Optional<FeedPosition> position(ConsumerRecord<byte[], byte[]> found) {
    Header header = found.headers().lastHeader(KafkaSink.POSITION);
    return Optional.ofNullable(header).map(any -> FeedPosition.of(new String(any.value(), UTF_8)));
  }
}
