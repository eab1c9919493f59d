package io.entroq.perf.peers.kafka;

import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.peer.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic with share groups or consumer groups. */
final class KafkaTopic implements Topic {
  private static final int SEND_SECONDS = 15;

  private final KafkaQueue queue;
  private final String name;
  private final KafkaGroups groups;
  private final KafkaProducer<byte[], byte[]> producer;

  KafkaTopic(KafkaQueue queue, String name, KafkaGroups groups) {
    this.queue = queue;
    this.name = name;
    this.groups = groups;
    producer = queue.producer();
  }

  @Override
  public void send(List<byte[]> values)
      throws ExecutionException, InterruptedException, TimeoutException {
    send(producer, name, values, true);
  }

  /**
   * Sends values and waits until all are acknowledged.
   *
   * @param flushes whether to send them at once, without those of others
   */
  static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, List<byte[]> values, boolean flushes)
      throws ExecutionException, InterruptedException, TimeoutException {
    List<Future<RecordMetadata>> sent = new ArrayList<>(values.size());
    for (byte[] value : values) {
      sent.add(producer.send(new ProducerRecord<>(topic, value)));
    }
    if (flushes) {
      producer.flush();
    }
    for (Future<RecordMetadata> record : sent) {
      record.get(SEND_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public Member join(String group) throws TimeoutException {
    return groups == KafkaGroups.SHARE ? queue.member(group) : reader(group);
  }

  private KafkaReader reader(String group) throws TimeoutException {
    Map<String, Object> properties = queue.properties(List.of());
    properties.put("group.id", group);
    properties.put("max.poll.records", Shape.BATCH_100.batch());
    properties.put("enable.auto.commit", false);
    properties.put("auto.offset.reset", "earliest");
    return new KafkaReader(
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
        name);
  }

  @Override
  public void close() {
    producer.close();
  }
}
