package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.local.Submitter;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands make no objects on the thread that executes them. */
class AllocationTest {
  private static final int WARM_UP = 10_000;
  private static final int COMMANDS = 90_000;
  private static final int LONG_COMMANDS = 3_000_000;

  @TempDir Path directory;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final IdFields me = new IdFields().set(0, 42);
  private final IdFields id = new IdFields();
  private final TaskDataFields data = new TaskDataFields();
  private final TaskDataFields renewed = new TaskDataFields();
  private final Slice queueName = new Slice("q".getBytes(StandardCharsets.UTF_8));
  private long count;

  @BeforeEach
  void nameTheQueue() {
    data.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    data.valueKind(1).value().wrap(new byte[128]);
    renewed.queue().wrap("q".getBytes(StandardCharsets.UTF_8));
    renewed.byMs(60_000);
  }

  @Test
  void shouldMakeNoObjectsWhenDriven() {
    assertNoObjectsWhenDriven(EmbeddedConfig.in(directory).build(), 0, COMMANDS);
  }

  @Test
  @Tag("long")
  void shouldMakeNoObjectsWhenDrivenForLong() {
    assertNoObjectsWhenDriven(EmbeddedConfig.in(directory).build(), 0, LONG_COMMANDS);
  }

  /** With one task that stays there is never room for more than the one of the cycle. */
  @Test
  void shouldMakeNoObjectsWhenDrivenAtTheLimitOfAQueue() {
    assertNoObjectsWhenDriven(EmbeddedConfig.in(directory).queueTasksMax(2).build(), 1, COMMANDS);
  }

  @Test
  @Tag("long")
  void shouldMakeNoObjectsWhenDrivenAtTheLimitOfAQueueForLong() {
    assertNoObjectsWhenDriven(
        EmbeddedConfig.in(directory).queueTasksMax(2).build(), 1, LONG_COMMANDS);
  }

  @Test
  void shouldMakeNoObjectsWhenHistoryIsKept() {
    HistoryPolicy history = HistoryPolicy.ofBytes(1L << 30);
    assertNoObjectsWhenDriven(EmbeddedConfig.in(directory).history(history).build(), 0, COMMANDS);
  }

  @Test
  void shouldMakeNoObjectsWhenEffectsAreRead() {
    EmbeddedConfig config = EmbeddedConfig.inMemory().build();
    try (DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {})) {
      FeedReader reader = engine.feed().open(FeedRequest.all(new FeedRequest.Start.Now()));
      long before = engine.sequence();
      assertNoObjectsWhenDriven(engine, COMMANDS);
      assertThat(engine.feed().kept().lastSequence()).isGreaterThan(before + COMMANDS);
      assertThat(reader.ended()).isEmpty();
    }
  }

  private void assertNoObjectsWhenDriven(EmbeddedConfig config, int tasksBefore, int commands) {
    try (DrivenEngine engine = DrivenEngine.open(config, (sequence, result) -> {})) {
      for (int i = 0; i < tasksBefore; i++) {
        nextId();
        engine.modify().claimant(me).insert(id, data);
        require(engine.execute());
      }
      assertNoObjectsWhenDriven(engine, commands);
    }
  }

  private void assertNoObjectsWhenDriven(DrivenEngine engine, int commands) {
    double bytes =
        bytesPerCommand(Thread.currentThread().getId(), n -> cycles(engine, n), commands);

    System.out.printf("driven: %.4f B per command%n", bytes);
    assertThat(bytes).isLessThan(1);
  }

  @Test
  void shouldMakeNoObjectsOnTheEnginesThread() throws Exception {
    assertNoObjectsOnTheEnginesThread(COMMANDS);
  }

  @Test
  @Tag("long")
  void shouldMakeNoObjectsOnTheEnginesThreadForLong() throws Exception {
    assertNoObjectsOnTheEnginesThread(LONG_COMMANDS);
  }

  private void assertNoObjectsOnTheEnginesThread(int commands) {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(directory)) {
      long engineThread = queue.engine().thread().getId();
      Submitter submitter = queue.engine().entrance().submitter();

      double bytes = bytesPerCommand(engineThread, n -> cycles(submitter, n), commands);

      System.out.printf("engine thread: %.4f B per command%n", bytes);
      assertThat(bytes).isLessThan(1);
    }
  }

  private double bytesPerCommand(long thread, IntConsumer cycles, int commands) {
    cycles.accept(WARM_UP);
    long before = threads.getThreadAllocatedBytes(thread);
    cycles.accept(commands / 3);
    return (double) (threads.getThreadAllocatedBytes(thread) - before) / commands;
  }

  private void nextId() {
    count++;
    id.set(count * 0x9E3779B97F4A7C15L | 1, count);
  }

  private void cycles(DrivenEngine engine, int cycles) {
    for (int i = 0; i < cycles; i++) {
      nextId();
      engine.modify().claimant(me).insert(id, data);
      require(engine.execute());
      engine.claim().claimant(me).queue(queueName).leaseMs(30_000).limit(1);
      require(engine.execute());
      TaskDecoder task = engine.result().claimed(0);
      id.set(task.idHigh(), task.idLow());
      engine.modify().claimant(me).change(id, 1, renewed, ChangeModes.LEASE, queueName);
      require(engine.execute());
      engine.modify().claimant(me).delete(id, 2, queueName);
      require(engine.execute());
    }
  }

  private static void require(int code) {
    if (code != ResultCodes.OK) {
      throw new IllegalStateException("code " + code);
    }
  }

  /** The same through the hand-over, which costs a switch of threads per command. */
  private void cycles(Submitter submitter, int cycles) {
    ModifyEncoder modify = new ModifyEncoder();
    ClaimEncoder claim = new ClaimEncoder();
    ResultDecoder result = new ResultDecoder();
    for (int i = 0; i < cycles; i++) {
      nextId();
      RequestSlot insert = submitter.acquire(RequestKind.MODIFY, false, 0);
      insert.commandLength =
          modify.wrap(insert.command(), 0).claimant(me).insert(id, data).length();
      finish(submitter, insert, result);
      RequestSlot take = submitter.acquire(RequestKind.CLAIM, false, 0);
      take.commandLength =
          claim.wrap(take.command(), 0).claimant(me).queue(queueName).leaseMs(30_000).length();
      finish(submitter, take, result);
      RequestSlot renew = submitter.acquire(RequestKind.MODIFY, false, 0);
      renew.commandLength =
          modify
              .wrap(renew.command(), 0)
              .claimant(me)
              .change(id, 1, renewed, ChangeModes.LEASE, queueName)
              .length();
      finish(submitter, renew, result);
      RequestSlot delete = submitter.acquire(RequestKind.MODIFY, false, 0);
      delete.commandLength =
          modify.wrap(delete.command(), 0).claimant(me).delete(id, 2, queueName).length();
      finish(submitter, delete, result);
    }
  }

  private static void finish(Submitter submitter, RequestSlot slot, ResultDecoder result) {
    submitter.submit(slot);
    submitter.await(slot);
    result.wrap(slot.result(), 0, slot.resultLength);
    require(result.code());
    submitter.release(slot);
  }
}
