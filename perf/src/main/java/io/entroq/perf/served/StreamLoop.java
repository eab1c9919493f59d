package io.entroq.perf.served;

import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.StreamHello;
import io.entroq.codec.wire.edge.StreamRequest;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.load.async.AsyncLoop;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * As many cycles at a time over one stream as there may be requests under way. What the answers of
 * one message give rise to goes out in one message, or in one each.
 */
final class StreamLoop implements AsyncLoop, StreamObserver<StreamResponses> {
  private static final long LEASE_MS = 60_000;
  private static final long NANOS_MAX = 60_000_000_000L;

  private final StreamObserver<StreamRequests> requests;
  private final boolean isBatching;
  private final ModifyRequest insert;
  private final ClaimRequest claim;
  private final long[] startsNs;
  private final AtomicLong cycles = new AtomicLong();
  private final Histogram callNs = new Histogram(NANOS_MAX, 3);
  private StreamRequests.Builder gathered = StreamRequests.newBuilder();
  private long number;
  private int running;
  private volatile Runnable atEnd;
  private volatile Throwable failure;

  /**
   * @param queue nobody else's
   * @param inFlight how many requests are under way
   */
  StreamLoop(Channel channel, String queue, int inFlight, boolean isBatching, int valueBytes) {
    this.isBatching = isBatching;
    TaskData task =
        TaskData.newBuilder().setQueue(queue).setValue(Messages.value(valueBytes)).build();
    insert = Messages.insert(task, 1);
    claim = Messages.claim(queue, 1, LEASE_MS);
    startsNs = new long[inFlight];
    requests =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(Messages.STREAM, CallOptions.DEFAULT), this);
    requests.onNext(StreamRequests.newBuilder().setHello(StreamHello.getDefaultInstance()).build());
  }

  @Override
  public void begin() {
    atEnd = null;
    callNs.reset();
    running = startsNs.length;
    // In one message: what comes back is dealt with on another thread.
    for (int i = 0; i < startsNs.length; i++) {
      gather(i, StreamRequest.newBuilder().setModify(insert));
    }
    flush();
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

  @Override
  public void onNext(StreamResponses answers) {
    for (StreamResponse answer : answers.getResponsesList()) {
      int lane = (int) (answer.getNumber() % startsNs.length);
      callNs.recordValue(System.nanoTime() - startsNs[lane]);
      goOn(lane, answer);
    }
    flush();
  }

  private void goOn(int lane, StreamResponse answer) {
    switch (answer.getResponseCase()) {
      case CLAIM -> delete(lane, answer.getClaim());
      case MODIFY -> {
        if (answer.getModify().getInsertedCount() > 0) {
          send(lane, StreamRequest.newBuilder().setTryClaim(claim));
        } else {
          end(lane);
        }
      }
      default -> onError(new IllegalStateException("answered by " + answer));
    }
  }

  private void insert(int lane) {
    send(lane, StreamRequest.newBuilder().setModify(insert));
  }

  private void delete(int lane, ClaimResponse claimed) {
    if (claimed.hasTask()) {
      send(lane, StreamRequest.newBuilder().setModify(Messages.delete(claimed)));
    } else {
      onError(new IllegalStateException("a task is not there that was inserted"));
    }
  }

  private void end(int lane) {
    cycles.setRelease(cycles.getPlain() + 1);
    Runnable end = atEnd;
    if (end == null) {
      insert(lane);
    } else if (--running == 0) {
      end.run();
    }
  }

  private void send(int lane, StreamRequest.Builder request) {
    gather(lane, request);
    if (!isBatching) {
      flush();
    }
  }

  private void gather(int lane, StreamRequest.Builder request) {
    startsNs[lane] = System.nanoTime();
    number += startsNs.length;
    gathered.addRequests(request.setNumber(number + lane));
  }

  private void flush() {
    if (gathered.getRequestsCount() > 0) {
      StreamRequests message = gathered.build();
      gathered = StreamRequests.newBuilder();
      requests.onNext(message);
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

  @Override
  public void onCompleted() {
    onError(new IllegalStateException("the server has ended the stream"));
  }
}
