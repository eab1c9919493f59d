package io.entroq.server.serving;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Value;
import io.entroq.client.transport.Api;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.server.settings.Settings;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives a server of its own in this process for a moment, so that the one that serves afterwards
 * finds its classes loaded and its code compiled. Without it, a server gets to its full rate only
 * after some 15 s of load.
 *
 * <p>That server has a temporary directory, listens on the loopback interface alone, and is gone
 * before the real one opens its ports. A failure only costs the warmth.
 */
public final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  private static final int CONNECTIONS = 4;

  /** Callers of each connection. */
  private static final int CALLERS = 4;

  private static final long LEASE_MS = 60_000;
  private static final double MS_PER_SECOND = 1e3;
  private static final long END_SECONDS_MAX = 5;

  private static final MethodDescriptor<ModifyRequest, ModifyResponse> MODIFY =
      method("Modify", ModifyRequest.getDefaultInstance(), ModifyResponse.getDefaultInstance());

  private static final MethodDescriptor<ClaimRequest, ClaimResponse> TRY_CLAIM = claims("TryClaim");

  private static final MethodDescriptor<ClaimRequest, ClaimResponse> CLAIM = claims("Claim");

  private WarmUp() {}

  private static MethodDescriptor<ClaimRequest, ClaimResponse> claims(String name) {
    return method(name, ClaimRequest.getDefaultInstance(), ClaimResponse.getDefaultInstance());
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      String name, Q request, A response) {
    return MethodDescriptor.newBuilder(
            ProtoUtils.marshaller(request), ProtoUtils.marshaller(response))
        .setType(MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(Api.V1.service(), name))
        .build();
  }

  /**
   * Returns after that time, or at once if it is zero.
   *
   * @param isLogged whether the real server writes a log
   */
  public static void run(Duration duration, boolean isLogged) {
    if (duration.isZero()) {
      return;
    }
    LOG.info("Warming up for {} s.", duration.toMillis() / MS_PER_SECOND);
    try {
      if (isLogged) {
        DataDirectory scratch = DataDirectory.choose(Optional.empty(), "warm-up");
        try {
          drive(duration, Map.of("ENTROQ_DATA", scratch.path().toString()));
        } finally {
          scratch.remove();
        }
      } else {
        drive(duration, Map.of());
      }
    } catch (RuntimeException e) {
      LOG.info("The warm-up failed; the server starts cold.", e);
    }
  }

  private static void drive(Duration duration, Map<String, String> store) {
    Map<String, String> variables = new HashMap<>(store);
    variables.put("ENTROQ_HOST", "127.0.0.1");
    variables.put("ENTROQ_PORT", "0");
    variables.put("ENTROQ_HTTP_PORT", "0");
    variables.put("ENTROQ_WARM_UP", "0");
    if (!store.isEmpty()) {
      variables.put("ENTROQ_DURABILITY", "os");
    }
    Settings settings = Settings.of(List.of(), Optional.empty(), variables);
    try (EntroqServer server = EntroqServer.start(settings)) {
      List<ManagedChannel> channels = new ArrayList<>();
      try {
        AtomicLong cycles = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(CONNECTIONS * CALLERS);
        long endNs = System.nanoTime() + duration.toNanos();
        for (int i = 0; i < CONNECTIONS; i++) {
          ManagedChannel channel =
              NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                  .usePlaintext()
                  .directExecutor()
                  .build();
          channels.add(channel);
          for (int j = 0; j < CALLERS; j++) {
            new Loop(channel, "queue " + i + " " + j, endNs, cycles, ended::countDown).begin();
          }
        }
        boolean hasEnded = ended.await(duration.toSeconds() + END_SECONDS_MAX, TimeUnit.SECONDS);
        LOG.debug("Warmed up with {} task cycles, complete: {}", cycles, hasEnded);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        channels.forEach(ManagedChannel::shutdownNow);
      }
    }
  }

  /** Inserts, claims and deletes a task, again and again, as EntroQ's clients do. */
  private static final class Loop {
    private final ManagedChannel channel;
    private final String claimant = UUID.randomUUID().toString();
    private final ModifyRequest insert;
    private final ClaimRequest claim;
    private final long endNs;
    private final AtomicLong cycles;
    private final Runnable atEnd;

    /** Whether the claim of this cycle waits for the insert. */
    private boolean waits;

    Loop(ManagedChannel channel, String queue, long endNs, AtomicLong cycles, Runnable atEnd) {
      this.channel = channel;
      this.endNs = endNs;
      this.cycles = cycles;
      this.atEnd = atEnd;
      ByteString value = Value.newBuilder().setStringValue("v".repeat(100)).build().toByteString();
      insert =
          ModifyRequest.newBuilder()
              .setClaimantId(claimant)
              .addInserts(TaskData.newBuilder().setQueue(queue).setValue(value))
              .build();
      claim =
          ClaimRequest.newBuilder()
              .setClaimantId(claimant)
              .addQueues(queue)
              .setDurationMs(LEASE_MS)
              .build();
    }

    void begin() {
      waits = !waits;
      if (waits) {
        call(CLAIM, claim, this::delete);
        call(MODIFY, insert, inserted -> {});
      } else {
        call(MODIFY, insert, inserted -> call(TRY_CLAIM, claim, this::delete));
      }
    }

    private void delete(ClaimResponse claimed) {
      TaskID task =
          TaskID.newBuilder()
              .setId(claimed.getTask().getId())
              .setVersion(claimed.getTask().getVersion())
              .setQueue(claimed.getTask().getQueue())
              .build();
      ModifyRequest delete =
          ModifyRequest.newBuilder().setClaimantId(claimant).addDeletes(task).build();
      call(MODIFY, delete, deleted -> endCycle());
    }

    private void endCycle() {
      cycles.incrementAndGet();
      if (System.nanoTime() < endNs) {
        begin();
      } else {
        atEnd.run();
      }
    }

    private <Q, A> void call(MethodDescriptor<Q, A> method, Q request, Consumer<A> next) {
      ClientCalls.asyncUnaryCall(
          channel.newCall(method, CallOptions.DEFAULT),
          request,
          new StreamObserver<>() {
            @Override
            public void onNext(A response) {
              next.accept(response);
            }

            @Override
            public void onCompleted() {}

            @Override
            public void onError(Throwable t) {
              LOG.debug("A call of the warm-up failed.", t);
              atEnd.run();
            }
          });
    }
  }
}
