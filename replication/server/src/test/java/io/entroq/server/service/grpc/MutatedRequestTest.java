package io.entroq.server.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
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
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests with bytes that are not as they were: whatever comes, it is the caller's fault. */
@Timeout(60)
class MutatedRequestTest {
  private static final int ROUNDS = 200;
  private static final long SEED = Long.getLong("test.seed", new SplittableRandom().nextLong());

  /** A task was not as a depend said, or an identity is not known: those are answers. */
  private static final Set<Status.Code> EXPECTED =
      EnumSet.of(
          Status.Code.OK,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.NOT_FOUND,
          Status.Code.RESOURCE_EXHAUSTED,
          Status.Code.UNKNOWN);

  private static final Set<String> DOCS = Set.of("ClaimDocs", "Docs", "NamespaceStats");
  private static final String UUID = "12345678-9abc-4def-8123-456789abcdef";

  private final ServedQueue served = new ServedQueue();
  private final SplittableRandom random = new SplittableRandom(SEED);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldAnswerWhateverComes() {
    Map<String, byte[]> requests =
        Map.of(
            "TryClaim",
            V1.claim(UUID, "q", "r")
                .setClientId(ByteString.copyFromUtf8("0123456789abcdef"))
                .setRequestNumber(1)
                .setLimit(3)
                .build()
                .toByteArray(),
            "Modify",
            modify().toByteArray(),
            "ClaimDocs",
            V1Docs.claim(UUID, "n", "k", 1)
                .setClientId(ByteString.copyFromUtf8("fedcba9876543210"))
                .setRequestNumber(1)
                .build()
                .toByteArray(),
            "Docs",
            DocsRequest.newBuilder()
                .setQuery(DocQuery.newBuilder().setNamespace("n").setKeyStart("k").addIds(UUID))
                .build()
                .toByteArray(),
            "NamespaceStats",
            NamespacesRequest.newBuilder().addMatchPrefix("n").build().toByteArray(),
            "Tasks",
            TasksRequest.newBuilder().setQueue("q").addTaskId(UUID).build().toByteArray(),
            "QueueStats",
            QueuesRequest.newBuilder().addMatchPrefix("q").build().toByteArray());
    for (int i = 0; i < ROUNDS; i++) {
      requests.forEach(
          (method, request) -> {
            for (String api : List.of("api", "proto")) {
              byte[] mutated = mutate(request);
              if (api.equals("proto") && DOCS.contains(method)) {
                continue;
              }
              assertThat(send(api + ".EntroQ/" + method, mutated))
                  .as("seed %d, %s of %s", SEED, method, ByteString.copyFrom(mutated))
                  .isIn(EXPECTED);
            }
          });
    }
    assertThat(new V1(served.client).insert("alive", "yes").getVersion()).isZero();
  }

  private static ModifyRequest modify() {
    Value value =
        Value.newBuilder()
            .setStructValue(
                Struct.newBuilder().putFields("key", Value.newBuilder().setNumberValue(1).build()))
            .build();
    return ModifyRequest.newBuilder()
        .setClaimantId(UUID)
        .addInserts(V1.data("q").setValue(value).setErr("err"))
        .addDepends(TaskID.newBuilder().setId(UUID).setVersion(3).setQueue("q"))
        .addDocInserts(V1Docs.data("n", "k", "s").setContent(value))
        .addDocChanges(
            V1Docs.change(Doc.newBuilder().setNamespace("n").setId(UUID).setKey("k").build()))
        .addDocDepends(DocID.newBuilder().setNamespace("n").setId("d").setVersion(1))
        .setThenClaim(ClaimRequest.newBuilder().addQueues("q").setDurationMs(1))
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

  private Status.Code send(String method, byte[] request) {
    MethodDescriptor<byte[], byte[]> descriptor =
        MethodDescriptor.newBuilder(new Raw(), new Raw())
            .setType(MethodType.UNARY)
            .setFullMethodName(method)
            .build();
    try {
      ClientCalls.blockingUnaryCall(
          served.client.channel, descriptor, CallOptions.DEFAULT, request);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  /** Bytes as they are. */
  private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] bytes) {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
