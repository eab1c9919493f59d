package io.entroq.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocClaim;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.engine.embedded.Await;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a replica refuses once its memory is used up, and what it does not. */
class ReplicatedMemoryTest {
  private static final long BOUND = 4L << 20;
  private static final int VALUE_BYTES = 1_000;
  private static final String QUEUE = "inbox";
  private static final String NAMESPACE = "users";

  private final ReplicatedEngine engine =
      new ReplicatedEngine(
          EmbeddedConfig.inMemory().memoryBytesMax(BOUND).build(),
          System::currentTimeMillis,
          Duration.ofMinutes(10));
  private final ArrayDeque<byte[]> offered = new ArrayDeque<>();

  @BeforeEach
  void begin() {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT));
    engine.proposer().proposeGenesis();
    work();
  }

  @AfterEach
  void end() {
    engine.close();
    engine.end();
  }

  @Test
  void shouldRefuseInsertsAndSayWhatToDo() {
    int inserted = fill();
    long sequence = machine().sequence();
    assertThatThrownBy(this::insert)
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("memoryBytesMax allows 4,194,304")
        .hasMessageContaining("%,d tasks and 0 docs take".formatted(inserted))
        .hasMessageContaining("Delete tasks")
        .hasMessageContaining("start all members with")
        .hasMessageContaining("-XX:MaxDirectMemorySize");
    assertThat(machine().sequence()).as("no refusal is in the log").isEqualTo(sequence);
    assertThat(engine.stats().orElseThrow().writesRefusedForMemory()).isEqualTo(2);
  }

  @Test
  void shouldLetInWhatFitsWhereDeletedTasksWere() {
    fill();
    List<Task> tasks = all();
    for (Task task : tasks.subList(0, tasks.size() / 2)) {
      modify(Modification.delete(task));
    }
    insert();
    // What a worker does who has done one thing and has another one done.
    Task done = tasks.get(tasks.size() - 1);
    modify(Modification.delete(done).and(Modification.insert(task())));
    assertThat(machine().memoryBytes()).isLessThan(BOUND + (3 << 20));
  }

  @Test
  void shouldNotPromiseTheSameRoomToAllWhoAskAtOnce() {
    fill();
    for (int round = 0; round < 20; round++) {
      List<Task> tasks = all();
      for (Task task : tasks.subList(0, 100)) {
        modify(Modification.delete(task));
      }
      long bytes = machine().memoryBytes();
      List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        inserts.add(engine.queue().modifyAsync(Modification.insert(task())));
      }
      inserts.forEach(this::await);
      assertThat(inserts).anyMatch(insert -> !insert.isCompletedExceptionally());
      assertThat(inserts).anyMatch(CompletableFuture::isCompletedExceptionally);
      // Not by a chunk of places for values.
      assertThat(machine().memoryBytes()).isLessThan(bytes + (64 << 10));
    }
  }

  /** As long as the keys keep their length, so do the receipts, which take room of their own. */
  @Test
  void shouldNotPromiseTheSameRoomForDocsToAllWhoAskAtOnce() {
    int next = fillWithDocs();
    for (int round = 0; round < 3; round++) {
      List<Doc> docs = result(engine.queue().docsAsync(DocQuery.in(NAMESPACE)));
      for (Doc doc : docs.subList(0, 100)) {
        modify(Modification.builder().deleteDoc(doc.ref()).build());
      }
      long bytes = machine().memoryBytes();
      List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        inserts.add(engine.queue().modifyAsync(insertDoc(next++)));
      }
      inserts.forEach(this::await);
      assertThat(inserts).anyMatch(insert -> !insert.isCompletedExceptionally());
      assertThat(inserts).anyMatch(CompletableFuture::isCompletedExceptionally);
      // Not by a chunk of places for values.
      assertThat(machine().memoryBytes()).isLessThan(bytes + (64 << 10));
    }
  }

  @Test
  void shouldRefuseClaimsOfDocSetsWhenTheReserveIsUsedUp() {
    fill();
    assertThatThrownBy(this::claimNewSets)
        .isInstanceOf(EntroQException.ResourceExhausted.class)
        .hasMessageContaining("memoryBytesMax allows 4,194,304")
        .hasMessageContaining("doc sets");
    assertThat(machine().docSetCount()).as("they get the reserve").isPositive();
    assertThat(machine().memoryBytes()).isLessThan(BOUND + (4 << 20));
    modify(Modification.delete(all().get(0)));
  }

  private void claimNewSets() {
    String longKey = "k".repeat(1_000);
    for (int i = 0; i < 20_000; i++) {
      result(engine.queue().claimDocsAsync(DocClaim.of(NAMESPACE, longKey + i))).orThrow();
    }
  }

  @Test
  void shouldNotPromiseMoreThanThereIsToAllWhoAskAtOnce() {
    Insert large = task().withValue(Value.bytes(new byte[16 * VALUE_BYTES]));
    List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
    for (int i = 0; i < 3 * BOUND / (16 * VALUE_BYTES); i++) {
      inserts.add(engine.queue().modifyAsync(Modification.insert(large)));
    }
    inserts.forEach(this::await);
    assertThat(inserts).anyMatch(insert -> !insert.isCompletedExceptionally());
    assertThat(inserts).anyMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(machine().memoryBytes()).isLessThan(BOUND + (256 << 10));
  }

  @Test
  void shouldRefuseChangesThatGrowOnceTheReserveIsGoneAndRenewAllTheSame() {
    fill();
    assertThatThrownBy(this::growAll).isInstanceOf(EntroQException.ResourceExhausted.class);
    assertThat(machine().memoryBytes()).isLessThan(BOUND + BOUND / 32 + (4 << 20));
    List<Task> held = result(engine.queue().tryClaimAsync(Claim.from(QUEUE).withLimit(10)));
    assertThat(held).hasSize(10);
    for (Task task : held) {
      modify(Modification.change(Change.of(task).availableNow()));
    }
  }

  /** Each gets a little longer, so that no two find room in the same place. */
  private void growAll() {
    for (int added = 100; added < 30 * VALUE_BYTES; added += 100) {
      for (Task task : all()) {
        Value longer = Value.bytes(new byte[VALUE_BYTES + added]);
        modify(Modification.change(Change.of(task).withValue(longer)));
      }
    }
  }

  @Test
  void shouldEndWhatWasNotDecidedYet() {
    fill();
    CompletableFuture<ModifyResult> insert =
        engine.queue().modifyAsync(Modification.insert(task()));
    engine.proposer().doWork(this::offer);
    assertThat(engine.proposer().isSettled()).isFalse();
    engine.close();
    engine.end();
    assertThatThrownBy(() -> result(insert)).isInstanceOf(EntroQException.Closed.class);
  }

  private int fill() {
    for (int inserted = 0; inserted < 100_000; inserted++) {
      try {
        insert();
      } catch (EntroQException.ResourceExhausted e) {
        return inserted;
      }
    }
    throw new AssertionError("never refused");
  }

  /** Returns the number of the next doc. */
  private int fillWithDocs() {
    for (int inserted = 0; inserted < 100_000; inserted++) {
      try {
        modify(insertDoc(inserted));
      } catch (EntroQException.ResourceExhausted e) {
        return inserted;
      }
    }
    throw new AssertionError("never refused");
  }

  private static Modification insertDoc(int number) {
    DocInsert insert = DocInsert.into(NAMESPACE, "key %06d".formatted(number));
    return Modification.builder()
        .insertDoc(insert.withValue(Value.bytes(new byte[VALUE_BYTES])))
        .build();
  }

  private static Insert task() {
    return Insert.into(QUEUE).withValue(Value.bytes(new byte[VALUE_BYTES]));
  }

  private void insert() {
    modify(Modification.insert(task()));
  }

  private void modify(Modification modification) {
    result(engine.queue().modifyAsync(modification)).orThrow();
  }

  private List<Task> all() {
    return result(engine.queue().tasksAsync(TaskQuery.in(QUEUE)));
  }

  private StateMachine machine() {
    return engine.applier().machine();
  }

  private <T> T result(CompletableFuture<T> future) {
    await(future);
    try {
      return future.join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  private void await(CompletableFuture<?> future) {
    Await.until(
        "it is answered",
        () -> {
          work();
          return future.isDone();
        });
  }

  /** As if it had no others, and time stood still. */
  private void work() {
    engine.proposer().doWork(this::offer);
    for (byte[] next = offered.poll(); next != null; next = offered.poll()) {
      engine.applier().apply(new UnsafeBuffer(next), 0, next.length, 1_000_000);
    }
    engine.applier().doWork(Contact.LEADER);
  }

  private boolean offer(DirectBuffer buffer, int offset, int length) {
    byte[] message = new byte[length];
    buffer.getBytes(offset, message);
    return offered.add(message);
  }
}
