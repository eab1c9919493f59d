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
import io.entroq.perf.report.LatencyTable;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

/**
 * Concurrent cycles of insert, claim and delete over one stream. The requests that follow from one
 * message of answers leave in one message, or in one each.
 */
final class StreamLoop extends AsyncLoop implements StreamObserver<StreamResponses> {
  private static final long LEASE_MS = 60_000;

  private final StreamObserver<StreamRequests> requests;
  private final boolean isBatching;
  private final ModifyRequest insert;
  private final ClaimRequest claim;
  private final long[] startsNs;
  private StreamRequests.Builder gathered = StreamRequests.newBuilder();
  private long number;
  private int running;

  /**
   * @param queue used by no other loop
   * @param inFlight the number of concurrent requests
   * @param isBatching whether requests share messages
   */
  StreamLoop(Channel channel, String queue, int inFlight, boolean isBatching, int valueBytes) {
    super(LatencyTable.histogram());
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
  protected void start() {
    callNs().reset();
    running = startsNs.length;
    // In one message, since the first answer is handled on another thread.
    for (int i = 0; i < startsNs.length; i++) {
      gather(i, StreamRequest.newBuilder().setModify(insert));
    }
    flush();
  }

  @Override
  public void onNext(StreamResponses answers) {
    for (StreamResponse answer : answers.getResponsesList()) {
      int lane = (int) (answer.getNumber() % startsNs.length);
      callNs().recordValue(System.nanoTime() - startsNs[lane]);
      next(lane, answer);
    }
    flush();
  }

  private void next(int lane, StreamResponse answer) {
    switch (answer.getResponseCase()) {
      case CLAIM -> delete(lane, answer.getClaim());
      case MODIFY -> {
        if (answer.getModify().getInsertedCount() > 0) {
          send(lane, StreamRequest.newBuilder().setTryClaim(claim));
        } else {
          endCycle(lane);
        }
      }
      default -> fail(new IllegalStateException("unexpected answer: " + answer));
    }
  }

  private void delete(int lane, ClaimResponse claimed) {
    if (claimed.hasTask()) {
      send(lane, StreamRequest.newBuilder().setModify(Messages.delete(claimed)));
    } else {
      fail(new IllegalStateException("nothing to claim after an insert"));
    }
  }

  private void endCycle(int lane) {
    countCycle();
    if (!isStopped()) {
      send(lane, StreamRequest.newBuilder().setModify(insert));
    } else if (--running == 0) {
      end();
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
    fail(t);
  }

  @Override
  public void onCompleted() {
    fail(new IllegalStateException("the server has closed the stream"));
  }
}
