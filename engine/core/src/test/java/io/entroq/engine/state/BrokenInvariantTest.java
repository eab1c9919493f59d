package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.InvariantBrokenException;
import io.entroq.engine.memory.Slab;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each state here is spoilt by hand; the next command that meets it must end the machine. */
class BrokenInvariantTest extends StateTestBase {
  private static final long CLIENT = 5;

  private final StateMachine spoilt = new StateMachine(StateMachineConfig.DEFAULT);
  private final Stores stores = spoilt.stores;

  @BeforeEach
  void beginSpoilt() {
    applyTo(spoilt, Genesis.newBuilder().setLevel(Levels.MAX).build());
  }

  @AfterEach
  void closeSpoilt() {
    spoilt.close();
  }

  private int inserted(long id) {
    applyTo(spoilt, modify(ANN).addInserts(insert("q", id, nowMs)).build());
    return stores.tasks.find(0, id);
  }

  private void assertBroken(Message command, String what) {
    assertBroken(() -> applyTo(spoilt, command), what);
  }

  private static void assertBroken(ThrowingCallable call, String what) {
    assertThatThrownBy(call)
        .isInstanceOf(InvariantBrokenException.class)
        .hasMessageContaining("broken invariant: " + what);
  }

  @Test
  void shouldFireWhenATaskIsNotWhereItSays() {
    int task = inserted(1);
    inserted(2);
    stores.tasks.position(task, 1);
    assertBroken(modify(ANN).addDeletes(ref(1, 0)).build(), "ready where it says");
  }

  @Test
  void shouldFireWhenATaskIsInTheWrongIndex() {
    stores.tasks.isWaiting(inserted(1), true);
    assertBroken(modify(ANN).addDeletes(ref(1, 0)).build(), "waiting");
  }

  @Test
  void shouldFireWhenALeasedTaskWouldBeClaimed() {
    stores.tasks.arrivalMs(inserted(1), nowMs + 1);
    assertBroken(claim(BOB, "q").build(), "a task that is claimed is available");
  }

  @Test
  void shouldFireWhenAnAbandonedClaimWasNeverCounted() {
    int task = inserted(1);
    applyTo(spoilt, claim(BOB, "q").setIdentity(request(CLIENT, 1)).build());
    stores.tasks.claims(task, 0);
    assertBroken(CallersGone.newBuilder().setAll(true).build(), "a claimed task counts it");
  }

  @Test
  void shouldFireWhenAListOfWaitersHasLostAnEnd() {
    applyTo(spoilt, wait(request(CLIENT, 1), NEVER, "q").build());
    int queue = stores.queues.find(new UnsafeBuffer(new byte[] {'q'}), 0, 1);
    stores.queues.lastWaiter(queue, Slab.NONE);
    assertBroken(
        wait(request(CLIENT + 1, 1), NEVER, "q").build(),
        "a queue's list of waiters has both ends");
  }

  @Test
  void shouldFireWhenAParkedClaimHasLostItsReceipt() {
    applyTo(spoilt, wait(request(CLIENT, 1), nowMs + 10, "q").build());
    int client = stores.clients.find(0, CLIENT);
    stores.clients.receipt(client, 1, Arena.NONE);
    nowMs += 10;
    assertBroken(Tick.getDefaultInstance(), "a parked claim has its receipt");
  }

  @Test
  void shouldFireWhenAcknowledgedNumbersWouldComeBack() {
    applyTo(spoilt, claim(BOB, "q").setIdentity(request(CLIENT, 1)).build());
    int client = stores.clients.find(0, CLIENT);
    assertBroken(() -> stores.clients.ackedBelow(client, 0), "acknowledged for good");
  }

  @Test
  void shouldFireWhenACommandIsAppliedBetweenPrepareAndCommit() {
    byte[] claim = claim(BOB, "q").setIdentity(request(CLIENT, 1)).build().toByteArray();
    UnsafeBuffer command = new UnsafeBuffer(claim);
    spoilt.prepare(RecordType.CLAIM, command, 0, claim.length, nowMs);
    applyTo(spoilt, modify(ANN).addInserts(insert("q", 1, nowMs)).build());
    int crc = new Crc32c().of(command, 0, claim.length);
    assertBroken(
        () -> spoilt.commit(spoilt.sequence() + 1, crc, ResultSink.DISCARDING),
        "nothing is applied after prepare");
  }

  @Test
  void shouldFireWhenASlotIsFreedTwice() {
    Slab slab = new Slab(24, 4, 8);
    int slot = slab.allocate();
    slab.putLong(slot, 8, 1);
    slab.free(slot);
    assertBroken(() -> slab.free(slot), "a slot is freed once");
    assertBroken(() -> slab.free(7), "a slot that is freed was taken");
    slab.close();
  }

  @Test
  void shouldFireWhenABlockIsFreedThatNobodyHas() {
    Arena arena = new Arena();
    long block = arena.allocate(40);
    arena.free(block);
    assertBroken(() -> arena.free(block), "a block that is freed was taken");
    arena.close();
  }
}
