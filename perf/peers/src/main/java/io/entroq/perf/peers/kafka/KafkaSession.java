package io.entroq.perf.peers.kafka;

import io.entroq.load.LoadSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;

/** A producer, perhaps shared with other sessions, and a member of the group. */
final class KafkaSession implements LoadSession {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  private final KafkaProducer<byte[], byte[]> producer;
  private final boolean isOwn;
  private final KafkaMember member;
  private final String topic;

  /**
   * @param isOwn whether the producer belongs to this session and is closed with it
   */
  KafkaSession(
      KafkaProducer<byte[], byte[]> producer, boolean isOwn, KafkaMember member, String topic) {
    this.producer = producer;
    this.isOwn = isOwn;
    this.member = member;
    this.topic = topic;
  }

  @Override
  public void insert(List<byte[]> values)
      throws InterruptedException, ExecutionException, TimeoutException {
    // A shared producer would wait for the records of others.
    KafkaTopic.send(producer, topic, values, isOwn);
  }

  @Override
  public List<byte[]> claim(int limit) {
    return member.receive(limit);
  }

  @Override
  public void commit() {
    member.commit();
  }

  @Override
  public void close() {
    member.close();
    if (isOwn) {
      producer.close(CLOSE_LIMIT);
    }
  }
}
