package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.Doc;
import io.entroq.codec.wire.published.v1.DocID;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.DocsRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.NamespacesRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests with bytes that are not as they were: whatever comes, it is the caller's fault, and what
 * is refused changes nothing.
 */
class MutatedRequestTest {
  private static final int ROUNDS = 10;
  private static final int LONG_ROUNDS = 300;
  private static final long SEED = Long.getLong("test.seed", new SplittableRandom().nextLong());

  /** For how long a claim may wait whose queue has become another one. */
  private static final long PATIENCE_MS = 20;

  /**
   * What callers are told, and in which words: among others that a task was not as a request said,
   * or that an identity is not known.
   */
  private static final Map<Status.Code, Set<String>> EXPECTED =
      Map.of(
          Status.Code.INVALID_ARGUMENT,
          Set.of(""),
          Status.Code.NOT_FOUND,
          Set.of("modification dependency error", "claim docs dependency error"),
          Status.Code.RESOURCE_EXHAUSTED,
          Set.of(""),
          Status.Code.FAILED_PRECONDITION,
          Set.of("request_number: claimed "),
          Status.Code.UNIMPLEMENTED,
          Set.of(
              "modify: doc change naming a doc by key", "modify: doc delete naming a doc by key"),
          Status.Code.UNKNOWN,
          Set.of("client_id: not known any more; "));

  private static final String UUID = "12345678-9abc-4def-8123-456789abcdef";
  private static final String SENTINEL = "5e5e5e5e-9abc-4def-8123-456789abcdef";
  private static final ByteString CLIENT = ByteString.copyFromUtf8("0123456789abcdef");
  private static final Set<String> OF_TASKS =
      Set.of("TryClaim", "Claim", "Modify", "Tasks", "StreamTasks", "Queues", "QueueStats", "Time");

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);
  private final V1Docs docs = new V1Docs(served.client);
  private final SplittableRandom random = new SplittableRandom(SEED);
  private List<Object> sentinels;

  /** A request as it was. */
  private record Sound(String method, ByteString bytes) {
    static Sound of(String method, MessageLite.Builder request) {
      return new Sound(method, request.build().toByteString());
    }
  }

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldAnswerWhateverComes() {
    answer(ROUNDS);
  }

  @Test
  @Tag("long")
  @Timeout(600)
  void shouldAnswerHoweverMuchComes() {
    answer(LONG_ROUNDS);
  }

  private void answer(int rounds) {
    List<Sound> requests =
        List.of(
            Sound.of(
                "TryClaim",
                V1.claim(UUID, "q", "r").setClientId(CLIENT).setRequestNumber(1).setLimit(3)),
            Sound.of("TryClaim", V1.claim(UUID, "q").setDurationMs(0)),
            Sound.of("Claim", V1.claim(UUID, "wait")),
            Sound.of("Modify", modify()),
            Sound.of("Modify", changes()),
            Sound.of("Modify", deletes()),
            Sound.of(
                "ClaimDocs",
                V1Docs.claim(UUID, "n", "k", 1).setClientId(CLIENT).setRequestNumber(1)),
            Sound.of(
                "Docs",
                DocsRequest.newBuilder()
                    .setQuery(
                        DocQuery.newBuilder().setNamespace("n").setKeyStart("k").addIds(UUID))),
            Sound.of("NamespaceStats", NamespacesRequest.newBuilder().addMatchPrefix("n")),
            Sound.of("Tasks", TasksRequest.newBuilder().setQueue("q").addTaskId(UUID)),
            Sound.of("StreamTasks", TasksRequest.newBuilder().setQueue("q").addTaskId(UUID)),
            Sound.of("Queues", QueuesRequest.newBuilder().addMatchExact("q").setLimit(2)),
            Sound.of("QueueStats", QueuesRequest.newBuilder().addMatchPrefix("q")),
            // There is nothing in it that could be broken, but for what nobody knows.
            new Sound("Time", ByteString.copyFrom(new byte[] {8, 1, 18, 2, 'a', 'b'})));
    sentinels = sentinels();
    for (int i = 0; i < rounds; i++) {
      for (Sound request : requests) {
        for (String api : List.of("api", "proto")) {
          if (api.equals("api") || OF_TASKS.contains(request.method)) {
            check(api + ".EntroQ/" + request.method, mutate(request.bytes.toByteArray()));
          }
        }
      }
    }
    assertThat(v1.insert("alive", "yes").getVersion()).isZero();
  }

  private void check(String method, byte[] request) {
    Status status = send(method, request);
    if (status.isOk()) {
      sentinels = sentinels();
      return;
    }
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && method.endsWith("/Claim")) {
      return;
    }
    String described =
        "seed %d, %s of %s: %s".formatted(SEED, method, ByteString.copyFrom(request), status);
    assertThat(EXPECTED).as(described).containsKey(status.getCode());
    assertThat(EXPECTED.get(status.getCode()))
        .as(described)
        .anyMatch(words -> status.getDescription().startsWith(words));
    assertThat(sentinels()).as(described).isEqualTo(sentinels);
  }

  /** A task and a doc that requests are about, made anew if one of those was done. */
  private List<Object> sentinels() {
    if (v1.tasks(TasksRequest.newBuilder().addTaskId(SENTINEL)).isEmpty()) {
      v1.insert("q", SENTINEL);
    }
    if (docs.docs(DocQuery.newBuilder().setNamespace("n").addIds(SENTINEL)).isEmpty()) {
      docs.insert(V1Docs.data("n", "k", "s").setId(SENTINEL));
    }
    return List.of(v1.task(SENTINEL), docs.doc("n", SENTINEL));
  }

  private static ModifyRequest.Builder modify() {
    return ModifyRequest.newBuilder()
        .setClaimantId(UUID)
        .addInserts(V1.data("q").setValue(value()).setErr("err"))
        .addDepends(TaskID.newBuilder().setId(UUID).setVersion(3).setQueue("q"))
        .addDocInserts(V1Docs.data("n", "k", "s").setContent(value()))
        .addDocChanges(
            V1Docs.change(Doc.newBuilder().setNamespace("n").setId(UUID).setKey("k").build()))
        .addDocDepends(DocID.newBuilder().setNamespace("n").setId("d").setVersion(1))
        .setThenClaim(ClaimRequest.newBuilder().addQueues("q").setDurationMs(1));
  }

  private static ModifyRequest.Builder changes() {
    return ModifyRequest.newBuilder()
        .setClaimantId(UUID)
        .addChanges(
            TaskChange.newBuilder()
                .setOldId(TaskID.newBuilder().setId(SENTINEL))
                .setNewData(V1.data("q").setValue(value()).setAttempt(7).setErr("changed")))
        .addDocChanges(V1Docs.change(doc()))
        .addDepends(TaskID.newBuilder().setId(UUID));
  }

  private static ModifyRequest.Builder deletes() {
    return ModifyRequest.newBuilder()
        .setClaimantId(UUID)
        .addDeletes(TaskID.newBuilder().setId(SENTINEL).setQueue("q"))
        .addDocDeletes(V1Docs.ref(doc()))
        .setClientId(CLIENT)
        .setRequestNumber(9)
        .setAckedBelow(2);
  }

  private static Doc doc() {
    return Doc.newBuilder().setNamespace("n").setId(SENTINEL).setKey("k").setVersion(1).build();
  }

  private static Value value() {
    return Value.newBuilder()
        .setStructValue(
            Struct.newBuilder().putFields("key", Value.newBuilder().setNumberValue(1).build()))
        .build();
  }

  private byte[] mutate(byte[] request) {
    byte[] mutated = request.clone();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
    }
    return random.nextInt(4) == 0
        ? Arrays.copyOf(mutated, random.nextInt(mutated.length))
        : mutated;
  }

  private Status send(String method, byte[] request) {
    MethodDescriptor<byte[], byte[]> descriptor =
        MethodDescriptor.newBuilder(new RawStream.Raw(), new RawStream.Raw())
            .setType(
                method.endsWith("/StreamTasks") ? MethodType.SERVER_STREAMING : MethodType.UNARY)
            .setFullMethodName(method)
            .build();
    CallOptions options =
        method.endsWith("/Claim")
            ? CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_MS, TimeUnit.MILLISECONDS)
            : CallOptions.DEFAULT;
    try {
      ClientCalls.blockingServerStreamingCall(served.client.channel, descriptor, options, request)
          .forEachRemaining(answer -> {});
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }
}
