package io.entroq.perf.served;

import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.load.async.AsyncLoop;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Insert, claim and delete over one connection, again and again, each a call of its own and begun
 * by the answer to the one before.
 */
final class UnaryLoop implements AsyncLoop {
  private static final long LEASE_MS = 60_000;
  private static final long NANOS_MAX = 60_000_000_000L;

  private final Channel channel;
  private final int batch;
  private final ModifyRequest insert;
  private final ClaimRequest claim;
  private final AtomicLong cycles = new AtomicLong();
  private final Histogram callNs = new Histogram(NANOS_MAX, 3);
  private volatile Runnable atEnd;
  private volatile Throwable failure;

  /**
   * @param queue nobody else's
   * @param batch how many tasks each call is about
   */
  UnaryLoop(Channel channel, String queue, int batch, int valueBytes) {
    this.channel = channel;
    this.batch = batch;
    TaskData task =
        TaskData.newBuilder().setQueue(queue).setValue(Messages.value(valueBytes)).build();
    insert = Messages.insert(task, batch);
    claim = Messages.claim(queue, batch, LEASE_MS);
  }

  @Override
  public void begin() {
    atEnd = null;
    callNs.reset();
    insert();
  }

  @Override
  public void stop(Runnable atEnd) {
    this.atEnd = atEnd;
    if (failure != null) {
      atEnd.run();
    }
  }

  @Override
  public long cycles() {
    return cycles.getAcquire();
  }

  @Override
  public Histogram callNs() {
    return callNs;
  }

  @Override
  public Throwable failure() {
    return failure;
  }

  private void insert() {
    call(Messages.MODIFY, insert, answer -> claim());
  }

  private void claim() {
    call(Messages.TRY_CLAIM, claim, this::delete);
  }

  private void delete(ClaimResponse claimed) {
    if (claimed.getMoreCount() + 1 != batch || !claimed.hasTask()) {
      throw new IllegalStateException("claimed other than " + batch + " tasks: " + claimed);
    }
    call(Messages.MODIFY, Messages.delete(claimed), this::end);
  }

  private void end(ModifyResponse deleted) {
    cycles.setRelease(cycles.getPlain() + 1);
    Runnable end = atEnd;
    if (end == null) {
      insert();
    } else {
      end.run();
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
      callNs.recordValue(System.nanoTime() - startNs);
      try {
        next.accept(answer);
      } catch (RuntimeException e) {
        onError(e);
      }
    }

    @Override
    public void onError(Throwable t) {
      failure = t;
      Runnable end = atEnd;
      if (end != null) {
        end.run();
      }
    }
  }
}
