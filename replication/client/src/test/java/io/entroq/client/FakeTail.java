package io.entroq.client;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Tail;
import io.entroq.client.transport.TailReceiver;
import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.EffectKind;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.TailResponse;
import io.entroq.codec.wire.edge.Task;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A feed that the test sends. */
final class FakeTail implements Tail {
  static final String LOG = "000102030405060708090a0b0c0d0e0f";

  private static final ByteString LOG_ID =
      ByteString.copyFrom(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});

  final TailRequest request;
  final int skipped;
  private final TailReceiver receiver;
  private final Semaphore demand = new Semaphore(0);
  private volatile boolean isCanceled;

  FakeTail(TailRequest request, int skipped, TailReceiver receiver) {
    this.request = request;
    this.skipped = skipped;
    this.receiver = receiver;
  }

  /** An effect on a task, whose id says which one it is. */
  static Effect effect(long sequence, int index) {
    return Effect.newBuilder()
        .setKind(EffectKind.EFFECT_INSERTED)
        .setSequence(sequence)
        .setIndex(index)
        .setTimeMs(sequence)
        .setTask(Task.newBuilder().setId(sequence + "-" + index).setQueue("inbox"))
        .build();
  }

  /** Sends effects, and a position unless that is empty. */
  void send(String position, Effect... effects) throws InterruptedException {
    send(
        TailResponse.newBuilder()
            .setLogId(LOG_ID)
            .setPosition(position)
            .addAllEffects(List.of(effects)));
  }

  void send(TailResponse.Builder response) throws InterruptedException {
    // It may just have been begun.
    if (!demand.tryAcquire(10, TimeUnit.SECONDS)) {
      throw new AssertionError("more than was asked for");
    }
    receiver.onResponse(response.build());
  }

  void end() {
    receiver.onEnd();
  }

  void fail(Status.Code code) {
    receiver.onFailure(new Failure(code, "it says why", List.of(), true));
  }

  void fail(Status.Code code, Message detail) {
    receiver.onFailure(new Failure(code, "it says why", List.of(Any.pack(detail)), true));
  }

  /** How many responses may be sent. */
  int demand() {
    return demand.availablePermits();
  }

  boolean isCanceled() {
    return isCanceled;
  }

  @Override
  public void request(int responses) {
    demand.release(responses);
  }

  @Override
  public void cancel() {
    if (!isCanceled) {
      isCanceled = true;
      receiver.onFailure(new Failure(Status.Code.CANCELLED, "canceled", List.of(), true));
    }
  }
}
