package io.entroq.perf.served;

import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.load.async.AsyncLoop;
import io.entroq.perf.report.LatencyTable;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;

/** Cycles of insert, claim and delete over one connection, each a call of its own. */
final class UnaryLoop extends AsyncLoop {
  private static final long LEASE_MS = 60_000;

  private final Channel channel;
  private final int batch;
  private final ModifyRequest insert;
  private final ClaimRequest claim;

  /**
   * @param queue used by no other loop
   * @param batch the tasks of each call
   */
  UnaryLoop(Channel channel, String queue, int batch, int valueBytes) {
    super(LatencyTable.histogram());
    this.channel = channel;
    this.batch = batch;
    TaskData task =
        TaskData.newBuilder().setQueue(queue).setValue(Messages.value(valueBytes)).build();
    insert = Messages.insert(task, batch);
    claim = Messages.claim(queue, batch, LEASE_MS);
  }

  @Override
  protected void start() {
    callNs().reset();
    insert();
  }

  private void insert() {
    call(Messages.MODIFY, insert, answer -> claim());
  }

  private void claim() {
    call(Messages.TRY_CLAIM, claim, this::delete);
  }

  private void delete(ClaimResponse claimed) {
    if (claimed.getMoreCount() + 1 != batch || !claimed.hasTask()) {
      throw new IllegalStateException("claimed not " + batch + " tasks: " + claimed);
    }
    call(Messages.MODIFY, Messages.delete(claimed), deleted -> endCycle());
  }

  private void endCycle() {
    countCycle();
    if (isStopped()) {
      end();
    } else {
      insert();
    }
  }

  private <Q, A> void call(MethodDescriptor<Q, A> method, Q request, Consumer<A> next) {
    ClientCalls.asyncUnaryCall(
        channel.newCall(method, CallOptions.DEFAULT), request, new Answer<>(next));
  }

  private final class Answer<A> implements StreamObserver<A> {
    private final long startNs = System.nanoTime();
    private final Consumer<A> next;
    private A answer;

    Answer(Consumer<A> next) {
      this.next = next;
    }

    @Override
    public void onNext(A message) {
      answer = message;
    }

    @Override
    public void onCompleted() {
      callNs().recordValue(System.nanoTime() - startNs);
      try {
        next.accept(answer);
      } catch (RuntimeException e) {
        fail(e);
      }
    }

    @Override
    public void onError(Throwable t) {
      fail(t);
    }
  }
}
