package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.stream.StreamMessage;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is refused while it comes in is not done, and what is done is not refused. */
class CallLimiterTest {
  private static final long LARGE = 100;
  private static final long BYTES_MAX = LARGE + CallLimiter.PIECE_BYTES;

  /** What is done once the thread that serves a connection has read all that had come. */
  private final Deque<Runnable> afterwards = new ArrayDeque<>();

  private CallLimiter bound = new CallLimiter(10, BYTES_MAX, afterwards::add);

  @Test
  void shouldLetByWhatHasComeAsAWholeThoughOthersHaveAllTheRoom() {
    Coming large = new Coming(MethodType.UNARY);
    large.comes(LARGE);
    Coming small = new Coming(MethodType.UNARY);
    small.comes(1);
    small.isWhole();
    settle();
    assertThat(small.heard).containsExactly("message", "half close");
    assertThat(small.statuses).isEmpty();
    assertThat(bound.bytes()).isEqualTo(BYTES_MAX);
  }

  @Test
  void shouldDoNothingOfWhatIsRefusedThoughTheRestOfItComes() {
    Coming large = new Coming(MethodType.UNARY);
    large.comes(LARGE);
    Coming slow = new Coming(MethodType.UNARY);
    slow.comes(1);
    settle();
    slow.comes(1);
    slow.isWhole();
    settle();
    assertThat(slow.heard).isEmpty();
    assertThat(slow.statuses)
        .singleElement()
        .matches(status -> status.getCode() == Status.Code.RESOURCE_EXHAUSTED)
        .matches(
            status -> status.getDescription().matches(".* 4,196 bytes, .* Nothing was done\\..*"));
    slow.tracer.streamClosed(Status.OK);
    assertThat(bound.bytes()).isEqualTo(BYTES_MAX);
    assertThat(bound.calls()).isEqualTo(1);
  }

  /** Each piece keeps what it was read with. */
  @Test
  void shouldRefuseAMessageInManySmallPieces() {
    Coming slow = new Coming(MethodType.UNARY);
    slow.comes(1);
    settle();
    assertThat(slow.statuses).isEmpty();
    slow.comes(1);
    settle();
    assertThat(slow.statuses)
        .singleElement()
        .matches(status -> status.getCode() == Status.Code.RESOURCE_EXHAUSTED);
    slow.tracer.streamClosed(Status.OK);
    assertThat(bound.bytes()).isZero();
  }

  @Test
  void shouldNotSayOfAStreamThatNothingOfItWasDone() {
    Coming large = new Coming(MethodType.UNARY);
    large.comes(LARGE);
    Coming stream = new Coming(MethodType.BIDI_STREAMING);
    stream.comes(1);
    stream.reads();
    stream.comes(1);
    settle();
    stream.reads();
    assertThat(stream.heard).containsExactly("message");
    assertThat(stream.statuses)
        .singleElement()
        .matches(status -> status.getDescription().contains("The last message was not processed"));
  }

  @Test
  void shouldLeaveRoomForOthersWhileRequestsComeIn() {
    bound = new CallLimiter(10, 20_000, afterwards::add);
    Origin one = Origin.ofAddress().connection();
    Coming first = new Coming(MethodType.UNARY, one);
    first.comes(5_000);
    Coming second = new Coming(MethodType.UNARY, one);
    second.comes(10);
    Coming other = new Coming(MethodType.UNARY, Origin.ofAddress().connection());
    other.comes(10);
    settle();
    assertThat(first.statuses).isEmpty();
    assertThat(second.statuses)
        .singleElement()
        .matches(status -> status.getCode() == Status.Code.RESOURCE_EXHAUSTED)
        .matches(status -> status.getDescription().contains("share"));
    assertThat(other.statuses).isEmpty();
  }

  @Test
  void shouldLeaveCallsForOthers() {
    Origin one = Origin.ofAddress().connection();
    List<Coming> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      calls.add(new Coming(MethodType.UNARY, one));
    }
    assertThat(calls.get(4).statuses).isEmpty();
    assertThat(calls.get(5).statuses)
        .singleElement()
        .matches(status -> status.getDescription().matches("limit calls: .*has used its share.*"));
    assertThat(new Coming(MethodType.UNARY, Origin.ofAddress().connection()).statuses).isEmpty();
    calls.forEach(call -> call.tracer.streamClosed(Status.OK));
    assertThat(new Coming(MethodType.UNARY, one).statuses).isEmpty();
    assertThat(one.taken(Limit.CALLS)).isEqualTo(1);
  }

  @Test
  void shouldCountTheBytesOfACallThatWasRefusedForTooManyCalls() {
    bound = new CallLimiter(1, BYTES_MAX, afterwards::add);
    Coming first = new Coming(MethodType.UNARY);
    first.comes(LARGE);
    Coming second = new Coming(MethodType.UNARY);
    assertThat(second.statuses).hasSize(1);

    second.comes(LARGE);
    settle();

    assertThat(second.statuses).hasSize(1);
    second.tracer.streamClosed(Status.OK);
    assertThat(bound.calls()).isEqualTo(1);
    assertThat(bound.bytes()).isEqualTo(BYTES_MAX);
  }

  private void settle() {
    while (!afterwards.isEmpty()) {
      afterwards.poll().run();
    }
  }

  /** A request that comes in, and what becomes of it. */
  private final class Coming {
    final List<String> heard = new ArrayList<>();
    final List<Status> statuses = new ArrayList<>();
    final ServerStreamTracer tracer;
    private final ServerCall.Listener<RequestBytes> listener;

    Coming(MethodType type) {
      this(type, Origin.NONE);
    }

    Coming(MethodType type, Origin origin) {
      tracer = bound.newServerStreamTracer("api.EntroQ/Modify", new Metadata());
      listener =
          within(
              tracer.filterContext(Context.ROOT),
              new ServerCall<RequestBytes, StreamMessage>() {
                @Override
                public void request(int messages) {}

                @Override
                public void sendHeaders(Metadata headers) {}

                @Override
                public void sendMessage(StreamMessage message) {}

                @Override
                public void close(Status status, Metadata trailers) {
                  statuses.add(status);
                }

                @Override
                public Attributes getAttributes() {
                  return GrpcOrigins.with(Attributes.EMPTY, origin);
                }

                @Override
                public boolean isCancelled() {
                  return false;
                }

                @Override
                public MethodDescriptor<RequestBytes, StreamMessage> getMethodDescriptor() {
                  return MethodDescriptor.newBuilder(
                          new RequestBytesMarshaller(), new StreamMarshaller())
                      .setType(type)
                      .setFullMethodName("api.EntroQ/Modify")
                      .build();
                }
              });
    }

    private ServerCall.Listener<RequestBytes> within(
        Context context, ServerCall<RequestBytes, StreamMessage> call) {
      Context before = context.attach();
      try {
        return bound.interceptCall(call, new Metadata(), (begun, headers) -> new Handler());
      } finally {
        context.detach(before);
      }
    }

    void comes(long bytes) {
      tracer.inboundWireSize(bytes);
    }

    void reads() {
      tracer.inboundMessageRead(0, 1, 1);
      listener.onMessage(new RequestBytes(new byte[0]));
    }

    void isWhole() {
      reads();
      listener.onHalfClose();
    }

    private final class Handler extends ServerCall.Listener<RequestBytes> {
      @Override
      public void onMessage(RequestBytes message) {
        heard.add("message");
      }

      @Override
      public void onHalfClose() {
        heard.add("half close");
      }
    }
  }
}
