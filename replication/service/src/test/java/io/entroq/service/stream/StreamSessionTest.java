package io.entroq.service.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.published.stream.StreamHello;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.stream.StreamRequests;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.translation.Refusal;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a stream does by itself, whatever carries it. */
class StreamSessionTest {
  private static final StreamLimits LIMITS = new StreamLimits(1_024, 10 << 20, 1 << 20);
  private static final ByteString LARGE = ByteString.copyFrom(new byte[5 << 20]);

  private final List<Asked> asked = new ArrayList<>();
  private final List<String> locked = new ArrayList<>();
  private final Transport transport = new Transport();
  private final StreamSession session =
      StreamSession.open(
          service(), CallContext.of("test"), LIMITS, Runnable::run, new OpenStreams(), transport);

  @Test
  void shouldMakeRoomForOthersWithoutItsLock() {
    claims("0123456789abcdef", 3);
    for (int i = 0; i < 3; i++) {
      asked.get(i).answer();
    }
    // There was room for the first, and the others are asked for again.
    assertThat(asked.get(0).told).isEmpty();
    assertThat(asked.get(1).told).containsExactly("delivered");
    assertThat(asked.get(2).told).containsExactly("delivered");
    transport.isReady = true;
    session.onReady();
    assertThat(asked).hasSize(5);
    asked.get(3).answer();
    asked.get(4).answer();
    assertThat(asked.subList(3, 5)).allMatch(call -> call.told.equals(List.of("delivered")));
    assertThat(locked).isEmpty();
  }

  @Test
  void shouldKeepNoMoreThanItMayOfAnswersThatCannotBeHadOnceMore() {
    claims("", 2);
    assertThat(asked.get(0).reply.hasRoom(LARGE.size())).isTrue();
    asked.get(0).answer();
    assertThat(asked.get(1).reply.hasRoom(LARGE.size())).isFalse();
    assertThat(asked.get(1).reply.hasRoom(1 << 20)).isTrue();
    transport.isReady = true;
    session.onReady();
    assertThat(asked.get(1).reply.hasRoom(LARGE.size())).isTrue();
  }

  private void claims(String clientId, int count) {
    StreamRequests.Builder requests =
        StreamRequests.newBuilder()
            .setHello(StreamHello.newBuilder().setClientId(ByteString.copyFromUtf8(clientId)));
    for (int i = 1; i <= count; i++) {
      requests.addRequests(
          StreamRequest.newBuilder()
              .setNumber(i)
              .setTryClaim(ClaimRequest.newBuilder().setClaimantId("c").addQueues("q")));
    }
    session.onMessage(requests.build().toByteArray());
  }

  private Service service() {
    return (Service)
        Proxy.newProxyInstance(
            Service.class.getClassLoader(),
            new Class<?>[] {Service.class},
            (proxy, method, args) -> {
              Asked call = new Asked((Reply<?>) args[3]);
              asked.add(call);
              return call;
            });
  }

  /** A claim that a service has been asked for. */
  private final class Asked implements Call {
    final List<String> told = new ArrayList<>();
    private final Reply<?> reply;

    Asked(Reply<?> reply) {
      this.reply = reply;
    }

    @SuppressWarnings("unchecked")
    void answer() {
      ((Reply<MessageLite>) reply)
          .send(ClaimResponse.newBuilder().setTask(Task.newBuilder().setValue(LARGE)).build());
    }

    @Override
    public void cancel() {
      tell("cancel");
    }

    @Override
    public void delivered() {
      tell("delivered");
    }

    private void tell(String what) {
      told.add(what);
      if (Thread.holdsLock(session)) {
        locked.add(what);
      }
    }
  }

  private static final class Transport implements StreamTransport {
    boolean isReady;

    @Override
    public void take() {}

    @Override
    public boolean isReady() {
      return isReady;
    }

    @Override
    public void send(StreamMessage message) {}

    @Override
    public void complete() {}

    @Override
    public void end(Refusal refusal) {}
  }
}
