package io.entroq.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.engine.call.ModifyRequest;
import io.entroq.engine.embedded.Await;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotPoolTest {
  private static final int MIB = 1 << 20;

  private final SlotPool pool = new SlotPool(1_024);

  @Test
  void shouldKeepWhatBuffersHaveGrownTo() {
    RequestSlot slot = pool.acquire(RequestKind.MODIFY, false);
    slot.command().putByte(100_000, (byte) 1);
    int capacity = slot.command().capacity();
    pool.release(slot);
    assertThat(pool.acquire(RequestKind.MODIFY, false).command().capacity()).isEqualTo(capacity);
  }

  @Test
  void shouldBoundWhatIsKept() {
    for (int round = 0; round < 3; round++) {
      List<RequestSlot> slots = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        RequestSlot slot = pool.acquire(RequestKind.MODIFY, false);
        slot.command().putByte(MIB, (byte) 1);
        slot.result().putByte(MIB, (byte) 1);
        slots.add(slot);
      }
      slots.forEach(pool::release);
      long kept = slots.stream().mapToLong(RequestSlot::extraBytes).sum();
      assertThat(kept).isBetween(8L * MIB, 16L * MIB);
    }
  }

  @Test
  void shouldLetGoOfWhatCallersHaveSent() {
    List<WeakReference<byte[]>> sent = new ArrayList<>();
    List<RequestSlot> slots = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      RequestSlot slot = pool.acquire(RequestKind.MODIFY, false);
      sent.add(encodeValue(slot));
      slots.add(slot);
    }
    List<WeakReference<Object>> buffers = new ArrayList<>();
    slots.forEach(slot -> buffers.add(new WeakReference<>(slot.command())));
    slots.forEach(pool::release);
    slots.clear();
    Await.until("values are let go", () -> areGone(sent) == sent.size());
    // Each is larger than a mebibyte, and what is kept comes to less than 16.
    Await.until("buffers are let go", () -> areGone(buffers) > buffers.size() - 16);
  }

  private static WeakReference<byte[]> encodeValue(RequestSlot slot) {
    byte[] bytes = new byte[MIB];
    Value value = Value.wrap(Value.Kind.BYTES, bytes);
    Modification insertion =
        Modification.builder().insert(Insert.into("inbox").withValue(value)).build();
    int length = new ModifyRequest(insertion, List.of(TaskId.random()), "me", 0).encode(slot);
    assertThat(length).isGreaterThan(MIB);
    return new WeakReference<>(bytes);
  }

  private static long areGone(List<? extends WeakReference<?>> references) {
    System.gc();
    return references.stream().filter(reference -> reference.refersTo(null)).count();
  }

  @Test
  void shouldForgetWhatASlotTookWithIt() {
    SlotPool small = new SlotPool(2);
    for (int i = 0; i < 1_000; i++) {
      RequestSlot slot = new RequestSlot();
      slot.command().putByte(MIB, (byte) 1);
      small.release(slot);
    }
    RequestSlot slot = small.acquire(RequestKind.MODIFY, false);
    slot.command().putByte(4 * MIB, (byte) 1);
    small.release(slot);
    assertThat(slot.extraBytes()).isPositive();
  }
}
