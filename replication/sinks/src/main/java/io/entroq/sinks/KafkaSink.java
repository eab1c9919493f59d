package io.entroq.sinks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends effects to a topic, a batch in a transaction: consumers that read what is committed see
 * each effect once, whatever dies. Needs {@code org.apache.kafka:kafka-clients} on the class path.
 *
 * <p>The key is the task's id, so effects on one task stay in order; of docs, sets and policies it
 * is their name. The value is JSON in UTF-8. The header {@code position} says how far a record
 * goes, and the topic says so where to resume. A record with an empty key and the kind {@code mark}
 * has nothing but a position.
 *
 * <p>Only one sink at a time may send to a topic: a second one ends the first one.
 */
public final class KafkaSink implements FeedSink {
  /** The header with the text of a {@link FeedPosition}. */
  public static final String POSITION = "position";

  private static final int MAX_BLOCK_MS = 10_000;
  private static final byte[] NO_KEY = new byte[0];
  private static final List<Class<? extends KafkaException>> FENCED =
      List.of(ProducerFencedException.class, InvalidProducerEpochException.class);
  private static final List<Class<? extends KafkaException>> PERMANENT =
      List.of(
          AuthenticationException.class,
          AuthorizationException.class,
          ConfigException.class,
          InvalidTopicException.class,
          InvalidTxnTimeoutException.class,
          RecordTooLargeException.class,
          SerializationException.class,
          UnsupportedVersionException.class);

  private final Map<String, Object> settings;
  private final String topic;

  /** Null while it is not open. */
  private KafkaProducer<byte[], byte[]> producer;

  private boolean isInTransaction;

  /**
   * @param settings of clients of Kafka, at least {@code bootstrap.servers}
   * @param topic must exist, and nobody else may write to it
   */
  public KafkaSink(Map<String, ?> settings, String topic) {
    this.settings = Map.copyOf(settings);
    this.topic = topic;
  }

  @Override
  public Optional<FeedPosition> open(FeedQuery query) {
    close();
    try {
      producer = new KafkaProducer<>(producerSettings());
      // Ends an earlier sink and what it has not committed, so the end of the topic stands still.
      producer.initTransactions();
      return new TopicPosition(settings, topic).read();
    } catch (KafkaException e) {
      throw failure(e);
    }
  }

  private Map<String, Object> producerSettings() {
    Map<String, Object> all = new HashMap<>();
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
    all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    all.putAll(settings);
    all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "entroq-sink-" + topic);
    all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return all;
  }

  /** The topic has no state yet, as it would have a position then. */
  @Override
  public void beginState() {}

  @Override
  public void apply(SinkBatch batch) {
    try {
      if (!isInTransaction) {
        producer.beginTransaction();
        isInTransaction = true;
      }
      for (Effect effect : batch.effects()) {
        send(EffectJson.key(effect).getBytes(UTF_8), EffectJson.of(effect), effect.position());
      }
      if (batch.position().isPresent()) {
        if (!batch.endsWithPosition()) {
          send(NO_KEY, EffectJson.ofMark(batch.position().get()), batch.position());
        }
        // Fails if one of the records could not be sent.
        producer.commitTransaction();
        isInTransaction = false;
      }
    } catch (KafkaException e) {
      throw failure(e);
    }
  }

  private void send(byte[] key, String value, Optional<FeedPosition> position) {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(topic, key, value.getBytes(UTF_8));
    position.ifPresent(at -> message.headers().add(POSITION, at.text().getBytes(UTF_8)));
    throwIfFailed(producer.send(message));
  }

  /** Fails at once if a record does: each further one would wait as long for a broker. */
  private static void throwIfFailed(Future<RecordMetadata> sent) {
    try {
      if (sent.isDone()) {
        sent.get();
      }
    } catch (ExecutionException e) {
      throw new KafkaException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private SinkException failure(KafkaException e) {
    String what = "topic " + topic + ": " + e.getMessage();
    if (isCausedBy(e, FENCED)) {
      return SinkException.permanent(
          what + "; another sink has begun to send to this topic: stop one of them", e);
    }
    return isCausedBy(e, PERMANENT)
        ? SinkException.permanent(what, e)
        : SinkException.temporary(what, e);
  }

  private static boolean isCausedBy(Throwable e, List<Class<? extends KafkaException>> some) {
    return e != null
        && (some.stream().anyMatch(kind -> kind.isInstance(e)) || isCausedBy(e.getCause(), some));
  }

  @Override
  public boolean canBeginAgain() {
    return false;
  }

  /** What is not committed is never seen. */
  @Override
  public void close() {
    isInTransaction = false;
    if (producer != null) {
      producer.close(Duration.ZERO);
      producer = null;
    }
  }
}
