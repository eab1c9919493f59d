package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.snapshot.ChunkSink;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.Tick;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.memory.ChunkedSlotArrays;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.InvariantBrokenException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What is special about a state that is written down and loaded: the odd ones. */
class StateImageTest extends StateTestBase {
  private static final StateMachineConfig TINY = new StateMachineConfig(1, 1, 1);

  /** Keeps nothing. */
  private static final ResultSink QUIET =
      new ResultSink.Discarding() {
        @Override
        public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
          assertCode(code);
        }
      };

  private static void assertCode(int code) {
    if (code != ResultCodes.OK) {
      throw new AssertionError("code " + code);
    }
  }

  /** Keeps the chunks. */
  private static final class Image implements ChunkSink {
    private final List<Integer> kinds = new ArrayList<>();
    private final List<Integer> items = new ArrayList<>();
    private final List<UnsafeBuffer> payloads = new ArrayList<>();

    @Override
    public void onChunk(int kind, int count, DirectBuffer buffer, int offset, int length) {
      UnsafeBuffer payload = new UnsafeBuffer(new byte[length]);
      payload.putBytes(0, buffer, offset, length);
      kinds.add(kind);
      items.add(count);
      payloads.add(payload);
    }

    StateMachine load(StateMachineConfig config) {
      StateLoader loader = new StateLoader(config);
      for (int i = 0; i < kinds.size(); i++) {
        give(loader, i);
      }
      return loader.finish();
    }

    void give(StateLoader loader, int i) {
      loader.onChunk(kinds.get(i), items.get(i), payloads.get(i), 0, payloads.get(i).capacity());
    }

    long bytes() {
      return payloads.stream().mapToLong(UnsafeBuffer::capacity).sum();
    }
  }

  private Image image() {
    Image image = new Image();
    machine.freeze().writeTo(image);
    machine.thaw();
    return image;
  }

  /** The loaded state; what is applied from here on is compared with the original. */
  private StateMachine loaded() {
    StateMachine loaded = image().load(TINY);
    assertSame(loaded);
    return loaded;
  }

  private void assertSame(StateMachine loaded) {
    assertThat(loaded.sequence()).isEqualTo(machine.sequence());
    assertThat(loaded.logTimeMs()).isEqualTo(machine.logTimeMs());
    assertThat(loaded.level()).isEqualTo(machine.level());
    assertThat(loaded.logIdHigh()).isEqualTo(machine.logIdHigh());
    assertThat(loaded.logIdLow()).isEqualTo(machine.logIdLow());
    assertThat(loaded.historyDigest()).isEqualTo(machine.historyDigest());
    assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
    assertThat(loaded.recomputeContentDigest()).isEqualTo(machine.contentDigest());
    assertThat(loaded.taskCount()).isEqualTo(machine.taskCount());
    assertThat(loaded.parkedCount()).isEqualTo(machine.parkedCount());
    assertThat(loaded.clientCount()).isEqualTo(machine.clientCount());
    assertThat(loaded.nextDeadlineMs()).isEqualTo(machine.nextDeadlineMs());
  }

  private void applyToBoth(StateMachine loaded, Message command) {
    apply(command);
    applyTo(loaded, command);
    assertSame(loaded);
  }

  @Test
  void shouldBeTheSameBeforeTheFirstRecord() {
    StateMachine empty = new StateMachine(TINY);
    Image image = new Image();
    empty.freeze().writeTo(image);
    StateMachine loaded = image.load(StateMachineConfig.DEFAULT);
    assertThat(loaded.sequence()).isZero();
    assertThat(loaded.level()).isZero();
  }

  @Test
  void shouldBeSmallWhenManyTasksCameAndWent() {
    for (int i = 1; i <= 20_000; i++) {
      insert("q" + i % 500, i);
    }
    for (int i = 1; i <= 20_000; i++) {
      apply(modify(ANN).addDeletes(ref(i, 0)));
    }
    assertThat(image().bytes()).isLessThan(4_096);
    assertThat(machine.liveBytes()).isLessThan(4_096);
    loaded();
  }

  @Test
  void shouldHoldVersionsThatAreUsedUp() {
    insert("q", 1);
    machine.stores.tasks.version(machine.stores.tasks.find(0, 1), Integer.MAX_VALUE - 1);
    machine.stores.digest.restore(machine.historyDigest(), machine.recomputeContentDigest());
    apply(claim(BOB, "q"));
    StateMachine loaded = loaded();
    later(2 * LEASE_MS);
    applyTo(loaded, Tick.getDefaultInstance());
    applyToBoth(loaded, claim(BOB, "q").build());
    assertThat(said.of(machine.sequence()).code).isEqualTo(ResultCodes.EMPTY);
  }

  @Test
  void shouldGoOnServingWhenATickHadToStopHalfWay() {
    for (int i = 0; i < 3; i++) {
      apply(wait(request(7 + i, 1), NEVER, "q" + i).setLimit(900));
    }
    Modify.Builder flood = modify(ANN);
    for (int i = 1; i <= 2_700; i++) {
      flood.addInserts(insert("q" + i % 3, i, nowMs));
    }
    apply(flood);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MIN_VALUE);
    StateMachine loaded = loaded();
    applyToBoth(loaded, Tick.getDefaultInstance());
    applyToBoth(loaded, Tick.getDefaultInstance());
    assertThat(loaded.parkedCount()).isZero();
  }

  @Test
  void shouldEndTheRightWaitWhenThoseBeforeItHaveEnded() {
    for (int client = 1; client <= 4; client++) {
      apply(wait(request(client, 1), NEVER, "q"));
    }
    cancel(1, 1);
    StateMachine loaded = loaded();
    cancel(3, 1);
    applyTo(loaded, lastCommand);
    assertSame(loaded);
    insert("q", 1);
    assertThat(applyTo(loaded, lastCommand).answers)
        .extracting(answer -> answer.requestSequence)
        .isEqualTo(said.answers.stream().map(answer -> answer.requestSequence).toList())
        .hasSize(2);
    assertSame(loaded);
  }

  @Test
  void shouldHoldInWhichOrderAWaitNamesItsQueues() {
    for (int client = 1; client <= 8; client++) {
      apply(wait(request(client, 1), NEVER, "a", "b", "c"));
    }
    StateMachine loaded = loaded();
    for (int round = 0; round < 8; round++) {
      int id = 10 * round;
      applyToBoth(
          loaded,
          modify(ANN)
              .addInserts(insert("a", id + 1, nowMs + 1))
              .addInserts(insert("b", id + 2, nowMs + 1))
              .addInserts(insert("c", id + 3, nowMs + 1))
              .build());
    }
    nowMs++;
    applyToBoth(loaded, Tick.getDefaultInstance());
    assertThat(loaded.parkedCount()).isZero();
  }

  @Test
  void shouldHoldTextsOfClaimantsByWhomeverTheyAreNeeded() {
    Id ann = Id.newBuilder().setHigh(5).setLow(6).setText("ann@example").build();
    Id bob = Id.newBuilder().setHigh(7).setLow(8).setText("bob@example").build();
    insert("q", 1);
    apply(claim(ann, "q"));
    later(2 * LEASE_MS);
    // The receipt of this one names the former claimant, whom nothing else names any more.
    apply(claim(bob, "q").setIdentity(request(9, 1)));
    apply(claim(ann, "r").setIdentity(request(9, 2)).setWait(true));
    StateMachine loaded = loaded();
    gone(9);
    applyTo(loaded, lastCommand);
    assertSame(loaded);
    applyToBoth(loaded, claim(bob, "q").build());
  }

  @Test
  void shouldHoldValuesOfAnySizeAndIdsWithTexts() {
    for (int i = 0; i < 25; i++) {
      Id id = Id.newBuilder().setHigh(i).setLow(1).setText("id no. " + i).build();
      TaskData data =
          data("q", nowMs).toBuilder()
              .setValueKind(ValueKind.VALUE_BYTES)
              .setValue(ByteString.copyFrom(new byte[(1 << i) - 1]))
              .setErr(i % 2 == 0 ? "" : "it was no. " + i)
              .build();
      apply(modify(ANN).addInserts(Insert.newBuilder().setId(id).setData(data)));
    }
    assertThat(image().bytes()).isBetween(32L << 20, 33L << 20);
    loaded().close();
  }

  @Test
  void shouldHoldMoreReadyTasksThanAChunkOfTheirArray() {
    int each = 1_000;
    int tasks = ChunkedSlotArrays.CHUNK_SLOTS + each;
    for (int first = 1; first <= tasks; first += each) {
      Modify.Builder inserts = modify(ANN);
      for (int id = first; id < first + each; id++) {
        inserts.addInserts(insert("q", id, nowMs));
      }
      apply(inserts);
    }
    StateMachine loaded = loaded();
    for (int left = (int) machine.taskCount(); left > 0; left -= each) {
      Message claim = claim(BOB, "q").setLimit(each).build();
      apply(claim);
      applyTo(loaded, claim);
    }
    assertSame(loaded);
    assertThat(queues(nowMs).get("q").available()).isZero();
  }

  @Test
  void shouldHoldManyQueues() {
    for (int i = 1; i <= 60_000; i++) {
      insert("queue " + i, i);
    }
    StateMachine loaded = loaded();
    applyToBoth(loaded, claim(BOB, "queue 59999").build());
  }

  @Test
  void shouldMakeNoObjectsPerCommandWhileFrozen() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Modify insert = modify(ANN).addInserts(insert("q", 77, nowMs)).build();
    Modify delete = modify(ANN).addDeletes(ref(77, 0).toBuilder().setQueue("q")).build();
    for (int i = 1000; i < 3_000; i++) {
      insert("q", i);
    }
    Loop loop = new Loop(insert, delete);
    loop.run(20_000);
    for (boolean isFrozen : new boolean[] {false, true}) {
      FrozenState frozen = isFrozen ? machine.freeze() : null;
      // Copies of the chunks that this touches are made here.
      loop.run(100);
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      loop.run(20_000);
      long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      System.out.printf("frozen %s: %d bytes for 40000 commands%n", isFrozen, bytes);
      assertThat(bytes).isLessThan(40_000);
      if (isFrozen) {
        frozen.release();
        machine.thaw();
      }
    }
  }

  /** Inserts and deletes one task again and again. */
  private final class Loop {
    private final UnsafeBuffer insert;
    private final UnsafeBuffer delete;

    Loop(Modify insert, Modify delete) {
      this.insert = new UnsafeBuffer(insert.toByteArray());
      this.delete = new UnsafeBuffer(delete.toByteArray());
    }

    void run(int times) {
      for (int i = 0; i < times; i++) {
        step(insert);
        step(delete);
      }
    }

    private void step(UnsafeBuffer command) {
      long sequence = machine.sequence() + 1;
      machine.apply(RecordType.MODIFY, command, 0, command.capacity(), 0, nowMs, sequence, QUIET);
    }
  }

  @Test
  void shouldGiveAllMemoryBackWhenClosed() {
    insert("q", 1);
    apply(wait(request(7, 1), NEVER, "r"));
    StateMachine loaded = loaded();
    loaded.close();
    assertThat(loaded.memoryBytes()).isZero();
  }

  // What is refused.

  @Test
  void shouldBeWrittenOnceAndThawedOnlyWhenReleased() {
    FrozenState frozen = machine.freeze();
    assertThatThrownBy(machine::freeze).isInstanceOf(InvariantBrokenException.class);
    assertThatThrownBy(machine::thaw)
        .isInstanceOf(InvariantBrokenException.class)
        .hasMessageContaining("frozen and released");
    assertThatThrownBy(machine::close).isInstanceOf(InvariantBrokenException.class);
    frozen.writeTo(
        (kind, items, buffer, offset, length) ->
            assertThatThrownBy(frozen::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("still being written"));
    assertThatThrownBy(() -> frozen.writeTo(new Image()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("written once");
    frozen.release();
    machine.thaw();
    assertThatThrownBy(machine::thaw).isInstanceOf(InvariantBrokenException.class);
  }

  @Test
  void shouldRefuseAnImageOfALevelThatThisBuildDoesNotHave() {
    Image image = image();
    image.payloads.get(0).putInt(8, Levels.MAX + 1);
    assertThatThrownBy(() -> image.load(TINY))
        .isInstanceOf(UnsupportedLevelException.class)
        .hasMessageContaining("behavior level " + (Levels.MAX + 1));
  }

  @Test
  void shouldRefuseAnImageOfAnotherFormat() {
    Image image = image();
    image.payloads.get(0).putInt(4, 1);
    assertThatThrownBy(() -> image.load(TINY))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("format beside the level 1");
  }

  @Test
  void shouldSkipWhatALaterBuildAddsToTheHead() {
    insert("q", 1);
    Image image = image();
    UnsafeBuffer head = image.payloads.get(0);
    UnsafeBuffer longer = new UnsafeBuffer(new byte[head.capacity() + 12]);
    longer.putBytes(0, head, 0, head.capacity());
    longer.putInt(0, head.getInt(0) + 12);
    image.payloads.set(0, longer);
    try (StateMachine loaded = image.load(TINY)) {
      assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
    }
  }

  @Test
  void shouldRefuseAHeadOfAWrongLength() {
    int bytes = image().payloads.get(0).getInt(0);
    for (int wrong : new int[] {bytes - 1, bytes + 1, 0, -1, Integer.MAX_VALUE}) {
      Image image = image();
      image.payloads.get(0).putInt(0, wrong);
      assertThatThrownBy(() -> image.load(TINY))
          .isInstanceOf(ImageException.class)
          .hasMessageContaining("item 1 of a chunk of HEAD: bytes ");
    }
  }

  @Test
  void shouldRefuseAnEndThatIsNoListOfTheKindsThatHaveItems() {
    insert("q", 1);
    assertThat(withEnd(ChunkKinds.TASKS, 1, ChunkKinds.QUEUES, 1)).isEqualTo("loaded");
    assertThat(withEnd(ChunkKinds.TASKS, 2, ChunkKinds.QUEUES, 1)).contains("count of TASKS 2");
    assertThat(withEnd(ChunkKinds.TASKS, 1)).contains("end without QUEUES 1");
    assertThat(withEnd(ChunkKinds.QUEUES, 1)).contains("end without TASKS 1");
    assertThat(withEnd(ChunkKinds.QUEUES, 1, ChunkKinds.TASKS, 1)).contains("end without TASKS 1");
    assertThat(withEnd(ChunkKinds.TASKS, 1, ChunkKinds.TASKS, 1)).contains("order of TASKS 1");
    assertThat(withEnd(ChunkKinds.TASKS, 1, ChunkKinds.QUEUES, 1, 99, 5))
        .contains("count of kind 99 5");
    assertThat(withEnd(ChunkKinds.TASKS, 1, ChunkKinds.QUEUES, 1, ChunkKinds.END, 0))
        .contains("count of END 0");
    Image image = image();
    image.payloads.get(image.payloads.size() - 1).putInt(0, 25);
    assertThatThrownBy(() -> image.load(TINY)).hasMessageContaining("bytes of the end 25");
  }

  /** What is said of an image that ends with these kinds and counts. */
  private String withEnd(int... kindsAndCounts) {
    Image image = image();
    UnsafeBuffer end = new UnsafeBuffer(new byte[4 + kindsAndCounts.length * 6]);
    end.putInt(0, end.capacity() - 4);
    for (int i = 0; i < kindsAndCounts.length; i += 2) {
      end.putInt(4 + i * 6, kindsAndCounts[i]);
      end.putLong(8 + i * 6, kindsAndCounts[i + 1]);
    }
    image.payloads.set(image.payloads.size() - 1, end);
    try {
      image.load(TINY).close();
      return "loaded";
    } catch (ImageException e) {
      return e.getMessage();
    }
  }

  @Test
  void shouldRefuseAnImageThatEndsEarlyOrHasTwoHeads() {
    insert("q", 1);
    Image image = image();
    StateLoader first = new StateLoader(TINY);
    for (int i = 0; i < image.kinds.size() - 1; i++) {
      image.give(first, i);
    }
    assertThatThrownBy(first::finish)
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("it has no end");
    assertThatThrownBy(first::finish).isInstanceOf(IllegalStateException.class);
    StateLoader second = new StateLoader(TINY);
    image.give(second, 0);
    assertThatThrownBy(() -> image.give(second, 0))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("HEAD is out of order");
  }

  @Test
  void shouldRefuseAnImageWithAnotherContent() {
    insert("q", 1);
    Image image = image();
    int tasks = image.kinds.indexOf(ChunkKinds.TASKS);
    int createdMs = 56;
    image.payloads.get(tasks).putLong(createdMs, 1);
    assertThatThrownBy(() -> image.load(TINY))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("its content has the digest");
  }

  @Test
  void shouldRefuseAnImageWithAClaimThatItsTaskDoesNotCount() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(7, 1)));
    long claim = machine.sequence();
    int task = machine.stores.tasks.find(0, 1);
    // Detached meanwhile, so that the digest and the counts of the queue fit together.
    machine.table.detach(task);
    machine.stores.tasks.claims(task, 0);
    machine.table.attach(task, nowMs);
    Image image = image();
    assertThatThrownBy(() -> image.load(TINY))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("claimed by the command " + claim + " has the number of claims 0");
  }

  @Test
  void shouldRefuseAnImageWithChunksThatNobodyKnows() {
    StateLoader loader = new StateLoader(TINY);
    image().give(loader, 0);
    assertThatThrownBy(
            () -> loader.onChunk(ChunkKinds.MAX + 1, 1, new UnsafeBuffer(new byte[8]), 0, 8))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("chunks of kind " + (ChunkKinds.MAX + 1));
  }
}
