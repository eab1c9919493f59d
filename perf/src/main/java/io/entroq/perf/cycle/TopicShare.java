package io.entroq.perf.cycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.agrona.ExpandableArrayBuffer;

/**
 * Measures inserts into a topic, and inserts into a queue, in turns, by a caller that drives the
 * engine: with a log in files at level {@code os}, and with one in memory. Then measures the memory
 * that a value takes, as the difference to tasks without a value. Between slices all tasks are
 * deleted.
 *
 * <p>Arguments: rounds (15), inserts per slice (10,000), groups (10), bytes of a value (1,024).
 */
public final class TopicShare {
  private static final int WARM_UP_ROUNDS = 5;
  private static final int MEMORY_INSERTS = 50_000;
  private static final int DELETED_AT_ONCE = 100;
  private static final String TOPIC = "events";
  private static final String QUEUE = "inbox";

  private final int rounds;
  private final int inserts;
  private final int groups;

  private TopicShare(int rounds, int inserts, int groups) {
    this.rounds = rounds;
    this.inserts = inserts;
    this.groups = groups;
  }

  public static void main(String[] args) throws IOException {
    TopicShare share =
        new TopicShare(number(args, 0, 15), number(args, 1, 10_000), number(args, 2, 10));
    int valueBytes = number(args, 3, 1_024);
    try (ScratchDirectory scratch = new ScratchDirectory();
        DrivenEngine engine = DrivenEngine.open(scratch.resolve("engine"))) {
      share.measure("log in files", engine, valueBytes);
    }
    try (DrivenEngine engine = inMemory()) {
      share.measure("log in memory", engine, valueBytes);
    }
    share.measureMemory(valueBytes);
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private static DrivenEngine inMemory() {
    return DrivenEngine.open(EmbeddedConfig.inMemory().build(), (sequence, result) -> {});
  }

  private void measure(String what, DrivenEngine engine, int valueBytes) {
    Producer topic = new Producer(engine, TOPIC, valueBytes);
    Producer queue = new Producer(engine, QUEUE, valueBytes);
    topic.putGroups(groups);
    List<Double> ofTopic = new ArrayList<>();
    List<Double> ofQueue = new ArrayList<>();
    for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
      double topicNanos = topic.nanosPerInsert(inserts);
      double queueNanos = queue.nanosPerInsert(inserts);
      if (round >= 0) {
        ofTopic.add(topicNanos);
        ofQueue.add(queueNanos);
        print(what + ", round " + round, topicNanos, queueNanos, topicNanos / queueNanos);
      }
    }
    Spread all = Spread.of(ofTopic, nanos -> nanos);
    Spread one = Spread.of(ofQueue, nanos -> nanos);
    Spread ratio = Spread.ofRatios(ofTopic, ofQueue);
    print(what + ", least", all.least(), one.least(), ratio.least());
    print(what + ", median", all.median(), one.median(), ratio.median());
  }

  private void print(String what, double topicNanos, double queueNanos, double ratio) {
    System.out.printf(
        Locale.ROOT,
        "%-26s insert into %d groups %,8.0f ns   into a queue %,8.0f ns   ratio %.2f%n",
        what,
        groups,
        topicNanos,
        queueNanos,
        ratio);
  }

  private void measureMemory(int valueBytes) {
    double ofTopic = memoryPerInsert(TOPIC, valueBytes) - memoryPerInsert(TOPIC, 0);
    double ofQueue = memoryPerInsert(QUEUE, valueBytes) - memoryPerInsert(QUEUE, 0);
    System.out.printf(
        Locale.ROOT,
        "%-26s in %d groups %,.1f B   in a queue %,.1f B   ratio %.3f%n",
        "memory of a value",
        groups,
        ofTopic,
        ofQueue,
        ofTopic / ofQueue);
  }

  private double memoryPerInsert(String name, int valueBytes) {
    try (DrivenEngine engine = inMemory()) {
      Producer producer = new Producer(engine, name, valueBytes);
      if (name.equals(TOPIC)) {
        producer.putGroups(groups);
      }
      long before = engine.machine().memoryBytes();
      for (int i = 0; i < MEMORY_INSERTS; i++) {
        producer.insert();
      }
      return (double) (engine.machine().memoryBytes() - before) / MEMORY_INSERTS;
    }
  }

  /** Inserts tasks of one size, and deletes all that it has inserted. */
  private static final class Producer {
    private final DrivenEngine engine;
    private final IdFields claimant = new IdFields().set(0, 0x1234_5678_9ABCL);
    private final IdFields id = new IdFields();
    private final TaskDataFields data = new TaskDataFields();
    private final Slice queue;
    private final ExpandableArrayBuffer command = new ExpandableArrayBuffer();
    private final List<Slice> queues = new ArrayList<>();
    private long nextId = System.nanoTime();

    Producer(DrivenEngine engine, String name, int valueBytes) {
      this.engine = engine;
      this.queue = new Slice(name.getBytes(UTF_8));
      data.queue().wrap(name.getBytes(UTF_8));
      if (valueBytes > 0) {
        data.valueKind(1).value().wrap(new byte[valueBytes]);
      }
      queues.add(queue);
    }

    void putGroups(int count) {
      ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
      PolicyEncoder policy = new PolicyEncoder().wrap(buffer, 0).name(queue);
      queues.clear();
      for (int i = 0; i < count; i++) {
        policy.group(new Slice(("group-" + i).getBytes(UTF_8)));
        queues.add(new Slice((TOPIC + "/group-" + i).getBytes(UTF_8)));
      }
      int length =
          new ModifyEncoder()
              .wrap(command, 0)
              .claimant(claimant)
              .policyPut(buffer, 0, policy.length())
              .length();
      require(engine.executeEncoded(RecordType.MODIFY, command, 0, length));
    }

    double nanosPerInsert(int times) {
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        insert();
      }
      double nanos = (double) (System.nanoTime() - start) / times;
      deleteAll();
      return nanos;
    }

    void insert() {
      id.set(0, nextId++);
      engine.modify().claimant(claimant).insert(id, data);
      require(engine.execute());
    }

    private void deleteAll() {
      for (Slice each : queues) {
        while (claim(each)) {
          int length = encodeDeletes(engine.result(), each);
          require(engine.executeEncoded(RecordType.MODIFY, command, 0, length));
        }
      }
    }

    private boolean claim(Slice from) {
      engine.claim().claimant(claimant).queue(from).leaseMs(60_000).limit(DELETED_AT_ONCE);
      return engine.execute() == ResultCodes.OK;
    }

    private int encodeDeletes(ResultDecoder claimed, Slice from) {
      ModifyEncoder modify = new ModifyEncoder().wrap(command, 0).claimant(claimant);
      for (int i = 0; i < claimed.claimedCount(); i++) {
        TaskDecoder task = claimed.claimed(i);
        modify.delete(id.set(task.idHigh(), task.idLow()), task.version(), from);
      }
      return modify.length();
    }

    private static void require(int code) {
      if (code != ResultCodes.OK) {
        throw new IllegalStateException("result " + code);
      }
    }
  }
}
