package io.entroq.perf.served;

import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.StreamRequest;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskData;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ceiling: a gRPC server for Java as EntroQ uses it, and nothing else. It parses requests and
 * answers on the event loop, with prepared messages as long as EntroQ's. An insert answers a claim
 * that waits.
 *
 * <p>For level {@code disk} it first forces about as many bytes as EntroQ would log.
 */
final class EchoServer {
  /** What EntroQ logs for a claim. */
  private static final int CLAIM_BYTES = 100;

  /** What EntroQ logs for each task of a delete. */
  private static final int DELETE_BYTES = 24;

  /** Null: nothing is forced. */
  private final ForcedFile log;

  /** The claim that waits; null if there is none. */
  private StreamObserver<ClaimResponse> waiting;

  /** Inserted and not claimed yet. */
  private int unclaimed;

  private final Map<Integer, ModifyResponse> inserted = new ConcurrentHashMap<>();
  private final Map<Integer, ClaimResponse> claimed = new ConcurrentHashMap<>();
  private final Server server;

  private EchoServer(ForcedFile log) throws IOException {
    this.log = log;
    server =
        NettyServerBuilder.forPort(0)
            .directExecutor()
            .maxInboundMessageSize(10 << 20)
            .addService(
                ServerServiceDefinition.builder(Messages.SERVICE)
                    .addMethod(Messages.MODIFY, ServerCalls.asyncUnaryCall(this::modify))
                    .addMethod(Messages.TRY_CLAIM, ServerCalls.asyncUnaryCall(this::claim))
                    .addMethod(Messages.CLAIM, ServerCalls.asyncUnaryCall(this::await))
                    .build())
            .addService(
                ServerServiceDefinition.builder(Messages.STREAM_SERVICE)
                    .addMethod(Messages.STREAM, ServerCalls.asyncBidiStreamingCall(this::stream))
                    .build())
            .build()
            .start();
  }

  static EchoServer start() throws IOException {
    return new EchoServer(null);
  }

  static EchoServer start(ForcedFile log) throws IOException {
    return new EchoServer(log);
  }

  int port() {
    return server.getPort();
  }

  void awaitEnd() {
    try {
      server.awaitTermination();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void modify(ModifyRequest request, StreamObserver<ModifyResponse> answer) {
    boolean inserts = request.getInsertsCount() > 0;
    int bytes = inserts ? request.getSerializedSize() : request.getDeletesCount() * DELETE_BYTES;
    answer(bytes, answer, modified(request));
    StreamObserver<ClaimResponse> waiter = inserts ? takeWaiting() : null;
    if (waiter != null) {
      answer(CLAIM_BYTES, waiter, claimed.get(request.getInsertsCount()));
    }
  }

  private synchronized StreamObserver<ClaimResponse> takeWaiting() {
    StreamObserver<ClaimResponse> taken = waiting;
    waiting = null;
    unclaimed += taken == null ? 1 : 0;
    return taken;
  }

  private void await(ClaimRequest request, StreamObserver<ClaimResponse> answer) {
    if (!hasToWait(answer)) {
      claim(request, answer);
    }
  }

  private synchronized boolean hasToWait(StreamObserver<ClaimResponse> answer) {
    if (unclaimed == 0) {
      waiting = answer;
    }
    return unclaimed == 0;
  }

  private <A> void answer(int bytes, StreamObserver<A> answer, A message) {
    Runnable send =
        () -> {
          answer.onNext(message);
          answer.onCompleted();
        };
    if (log == null) {
      send.run();
    } else {
      log.append(bytes, send);
    }
  }

  private ModifyResponse modified(ModifyRequest request) {
    int inserts = request.getInsertsCount();
    return inserts == 0
        ? ModifyResponse.getDefaultInstance()
        : inserted.computeIfAbsent(inserts, count -> insert(request, count));
  }

  private ModifyResponse insert(ModifyRequest request, int count) {
    TaskData data = request.getInserts(0);
    Task task = task(data, 0, "");
    Task leased = task(data, 1, request.getClaimantId());
    ModifyResponse.Builder answer = ModifyResponse.newBuilder();
    ClaimResponse.Builder claim = ClaimResponse.newBuilder().setTask(leased);
    for (int i = 0; i < count; i++) {
      answer.addInserted(task);
      if (i > 0) {
        claim.addMore(leased);
      }
    }
    claimed.put(count, claim.build());
    return answer.build();
  }

  private static Task task(TaskData data, int claims, String claimant) {
    long nowMs = System.currentTimeMillis();
    return Task.newBuilder()
        .setId(UUID.randomUUID().toString())
        .setQueue(data.getQueue())
        .setValue(data.getValue())
        .setVersion(claims)
        .setClaims(claims)
        .setClaimantId(claimant)
        .setAtMs(nowMs)
        .setCreatedMs(nowMs)
        .setModifiedMs(nowMs)
        .build();
  }

  private void claim(ClaimRequest request, StreamObserver<ClaimResponse> answer) {
    synchronized (this) {
      unclaimed--;
    }
    answer(CLAIM_BYTES, answer, claimed(request));
  }

  private ClaimResponse claimed(ClaimRequest request) {
    return claimed.get(Math.max(1, request.getLimit()));
  }

  private StreamObserver<StreamRequests> stream(StreamObserver<StreamResponses> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(StreamRequests message) {
        StreamResponses.Builder answer = StreamResponses.newBuilder();
        message.getRequestsList().forEach(request -> answer.addResponses(answer(request)));
        answers.onNext(answer.build());
      }

      @Override
      public void onError(Throwable t) {}

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  private StreamResponse answer(StreamRequest request) {
    StreamResponse.Builder answer =
        StreamResponse.newBuilder().setNumber(request.getNumber()).setPosition(request.getNumber());
    return request.hasModify()
        ? answer.setModify(modified(request.getModify())).build()
        : answer.setClaim(claimed(request.getTryClaim())).build();
  }
}
