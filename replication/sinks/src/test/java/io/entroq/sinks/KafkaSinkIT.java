package io.entroq.sinks;

import static io.entroq.service.testing.Await.until;
import static io.entroq.sinks.TestEffects.batch;
import static io.entroq.sinks.TestEffects.existing;
import static io.entroq.sinks.TestEffects.inserted;
import static io.entroq.sinks.TestEffects.step;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.feed.Effect;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a Kafka broker. Each test has a topic of its own. */
@Tag("long")
@Timeout(900)
class KafkaSinkIT {
  private static final FeedQuery ALL = JdbcSinkTests.ALL;
  private static final int PARTITIONS = 3;
  private static final int KILLS = 20;

  @TempDir private static Path shared;
  private static TestKafka kafka;
  private static int topics;

  @TempDir private Path directory;
  private ServedEngine served;
  private Work work;
  private String topic;

  @BeforeAll
  static void startKafka() throws Exception {
    kafka = new TestKafka(shared.resolve("kafka")).start();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @BeforeEach
  void open() throws Exception {
    topics++;
    topic = "effects-" + topics;
    kafka.create(topic, PARTITIONS);
    served = new ServedEngine(directory.resolve("queue"));
    work = new Work(served.queue());
  }

  @AfterEach
  void close() {
    served.close();
  }

  private KafkaSink sink() {
    return new KafkaSink(kafka.clientSettings(), topic);
  }

  private Running run() {
    return new Running(new SinkRunner(served.queue(), ALL, sink()));
  }

  private Optional<FeedPosition> position() {
    return new TopicPosition(kafka.clientSettings(), topic).read();
  }

  private void finish(Running running) {
    work.end("end " + System.nanoTime());
    running.awaitAll(served.queue());
  }

  /** Committed records by partition. */
  private List<List<ConsumerRecord<String, String>>> records() {
    Map<String, Object> settings = new HashMap<>(kafka.clientSettings());
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "earliest");
    List<List<ConsumerRecord<String, String>>> all = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      for (int i = 0; i < PARTITIONS; i++) {
        TopicPartition partition = new TopicPartition(topic, i);
        List<ConsumerRecord<String, String>> some = new ArrayList<>();
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        long end = consumer.endOffsets(List.of(partition)).get(partition);
        while (consumer.position(partition) < end) {
          consumer.poll(Duration.ofSeconds(1)).forEach(some::add);
        }
        all.add(some);
      }
    }
    return all;
  }

  private static String header(ConsumerRecord<String, String> found) {
    return new String(found.headers().lastHeader(KafkaSink.POSITION).value(), UTF_8);
  }

  /** Each effect is in one partition, that of its key, and in order there. */
  private void assertHasAllEffects() throws InterruptedException {
    Map<String, String> expected = new TreeMap<>();
    Map<String, Integer> order = new HashMap<>();
    FeedQuery query =
        FeedQuery.after(JdbcSinkTests.BEGIN).until(position().orElseThrow()).withValues().build();
    try (FeedIterator feed = Feed.of(served.queue()).iterator(query)) {
      for (Optional<Effect> next = feed.next(); next.isPresent(); next = feed.next()) {
        String position = next.get().position().orElseThrow().text();
        order.put(position, order.size());
        expected.put(position, EffectJson.key(next.get()) + EffectJson.of(next.get()));
      }
    }
    Map<String, String> found = new TreeMap<>();
    Map<String, Integer> partitions = new HashMap<>();
    for (List<ConsumerRecord<String, String>> partition : records()) {
      List<ConsumerRecord<String, String>> effects =
          partition.stream().filter(any -> !any.key().isEmpty()).toList();
      assertThat(effects.stream().map(any -> order.get(header(any)))).isSorted();
      for (ConsumerRecord<String, String> any : effects) {
        assertThat(found.put(header(any), any.key() + any.value())).isNull();
        Integer other = partitions.put(any.key(), any.partition());
        assertThat(other).isIn(null, any.partition());
      }
    }
    assertThat(found).hasSizeGreaterThan(1).isEqualTo(expected);
  }

  @Test
  void shouldHaveEachEffectOnceAndResume() throws Exception {
    assertThat(position()).isEmpty();
    for (int i = 0; i < 3; i++) {
      work.some(200);
      try (Running running = run()) {
        work.some(100);
        finish(running);
      }
    }
    assertHasAllEffects();
  }

  @Test
  void shouldHaveEachEffectOnceAfterKills() throws Exception {
    new Kills(served, directory.resolve("out.log"))
        .repeat(KILLS, served.address(), kafka.address(), topic);
    try (Running running = run()) {
      finish(running);
    }
    assertHasAllEffects();
  }

  @Test
  void shouldGoOnWhenKafkaWasAway() throws Exception {
    try (Running running = run()) {
      for (int i = 0; i < 3; i++) {
        work.some(100);
        finish(running);
        kafka.kill();
        work.some(100);
        until("it waits", () -> running.runner().progress().problem().isPresent());
        kafka.start();
      }
      finish(running);
    }
    assertHasAllEffects();
  }

  @Test
  void shouldEndAnEarlierSink() {
    try (KafkaSink first = sink();
        KafkaSink second = sink()) {
      first.open(ALL);
      first.apply(batch(1));
      first.apply(new SinkBatch(List.of(existing("a")), Optional.empty()));
      assertThat(second.open(ALL)).contains(inserted(1, 0).position().orElseThrow());
      second.apply(batch(2));
      assertThatThrownBy(() -> first.apply(batch(2)))
          .isInstanceOfSatisfying(SinkException.class, e -> assertThat(e.isTemporary()).isFalse())
          .hasMessageContaining("another sink has begun to send to this topic");
      assertThat(second.open(ALL)).contains(inserted(2, 0).position().orElseThrow());
    }
  }

  @Test
  void shouldShowAStateWhenItIsComplete() {
    SinkBatch state = new SinkBatch(List.of(existing("a"), existing("b")), Optional.empty());
    try (KafkaSink sink = sink()) {
      for (int i = 0; i < 20; i++) {
        assertThat(sink.open(ALL)).isEmpty();
        sink.apply(state);
      }
      assertThat(records()).allSatisfy(each -> assertThat(each).isEmpty());
      sink.open(ALL);
      sink.apply(state);
      sink.apply(new SinkBatch(List.of(), Optional.of(step(5))));
      assertThat(sink.open(ALL)).contains(step(5));
    }
    assertThat(records().stream().flatMap(List::stream).map(any -> any.key()))
        .containsExactlyInAnyOrder("a", "b", "");
  }

  @Test
  void shouldRefuseATopicThatIsNotThereOrHasAnotherLog() {
    try (KafkaSink sink = new KafkaSink(kafka.clientSettings(), "none")) {
      assertThatThrownBy(() -> sink.open(ALL))
          .isInstanceOf(SinkException.class)
          .hasMessageContaining("topic none does not exist");
    }
    try (KafkaSink sink = sink()) {
      sink.open(ALL);
      IntStream.rangeClosed(1, 3).forEach(i -> sink.apply(batch(i)));
    }
    work.some(5);
    assertThat(run().failure()).hasMessageContaining(TestEffects.LOG);
  }
}
