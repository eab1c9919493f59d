package io.entroq.service.grpc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.entroq.codec.wire.published.stream.StreamHello;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.stream.StreamRequests;
import io.entroq.codec.wire.published.stream.StreamResponse;
import io.entroq.codec.wire.published.v1.CancelClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimDocsRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What clients of streams may get wrong. A request that is wrong is answered and the stream goes
 * on; a message that is wrong ends the stream. Either way nothing is done of it, and the server
 * serves others.
 */
class MalformedStreamTest {
  private static final String CLIENT = "0123456789abcdef";
  private static final int REQUESTS = StreamRequests.REQUESTS_FIELD_NUMBER;
  private static final int CANCELS = StreamRequests.CANCELS_FIELD_NUMBER;
  private static final int UNKNOWN = 1_000;

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  /** An answer that is no, with nothing done; the stream takes the next request. */
  private void refused(StreamRequest.Builder request, Status.Code code, String... words) {
    refused(request.getNumber(), request.build().toByteString(), code, words);
  }

  private void refused(long number, ByteString request, Status.Code code, String... words) {
    for (String client : new String[] {CLIENT, null}) {
      try (RawStream stream = RawStream.open(served.client, client)) {
        stream.send(StreamRequests.newBuilder().build().toByteArray());
        stream.send(message(REQUESTS, request));
        StreamResponse response = stream.response();
        assertThat(response.getNumber()).isEqualTo(number);
        assertThat(response.getError().getCode()).as("%s", response).isEqualTo(code.value());
        assertThat(response.getError().getMessage()).contains(words);
        isUnchanged();
        stream.send(tryClaim(number));
        assertThat(stream.response().getClaim().hasTask()).isFalse();
      }
    }
  }

  /** The end of a stream, with nothing done. */
  private void ends(byte[] message, Status.Code code, String... words) {
    RawStream stream = RawStream.open(served.client, CLIENT);
    stream.welcome();
    endsWith(stream.send(message), code, words);
  }

  private void endsWith(RawStream stream, Status.Code code, String... words) {
    Status end = stream.end();
    assertThat(end.getCode()).as("%s", end).isEqualTo(code);
    assertThat(end.getDescription()).contains(words);
    isUnchanged();
    until("the stream is gone", () -> served.server.openStreams() == 0);
  }

  private void isUnchanged() {
    assertThat(v1.queues(QueuesRequest.newBuilder())).isEmpty();
  }

  private static byte[] message(int field, ByteString content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream output = CodedOutputStream.newInstance(bytes);
    try {
      output.writeBytes(field, content);
      output.flush();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static StreamRequest.Builder insert(long number) {
    return StreamRequest.newBuilder()
        .setNumber(number)
        .setModify(ModifyRequest.newBuilder().addInserts(V1.data("q")));
  }

  private static StreamRequest.Builder tryClaim(long number) {
    return StreamRequest.newBuilder().setNumber(number + 1).setTryClaim(V1.claim("c", "q"));
  }

  private static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.copyFrom(bytes);
  }

  @Test
  void shouldRefuseARequestOfNoKind() {
    refused(StreamRequest.newBuilder().setNumber(1), Status.Code.INVALID_ARGUMENT, "request");
    // Of a kind that this server does not know.
    ByteString unknown = ByteString.copyFrom(message(UNKNOWN, ByteString.EMPTY));
    refused(1, bytes(0x08, 1).concat(unknown), Status.Code.INVALID_ARGUMENT, "request: missing");
  }

  @Test
  void shouldRefuseARequestThatCannotBeRead() {
    refused(1, bytes(0x08, 1, 0x22, 5, 0x0a, 127), Status.Code.INVALID_ARGUMENT, "be read");
    refused(1, bytes(0x08, 1, 0x22, 127), Status.Code.INVALID_ARGUMENT, "be read");
    // A group that was not begun, a tag of nothing, and a field of no kind.
    refused(1, bytes(0x08, 1, 0x0c), Status.Code.INVALID_ARGUMENT, "be read");
    refused(1, bytes(0x08, 1, 0x00), Status.Code.INVALID_ARGUMENT, "be read");
    refused(1, bytes(0x08, 1, 0x0f), Status.Code.INVALID_ARGUMENT, "be read");
  }

  @Test
  void shouldRefuseWhatMethodsRefuse() {
    refused(
        StreamRequest.newBuilder().setNumber(1).setClaim(V1.claim("c")),
        Status.Code.INVALID_ARGUMENT,
        "claim: claim must name at least one queue");
    refused(
        StreamRequest.newBuilder().setNumber(1).setTryClaim(V1.claim("c", "q").setDurationMs(-1)),
        Status.Code.INVALID_ARGUMENT,
        "try claim: claim duration must be positive, got -1ms");
    refused(
        insert(1)
            .setModify(
                ModifyRequest.newBuilder()
                    .addInserts(V1.data("q"))
                    .addInserts(
                        V1.data("q").setValue(ServedQueue.text("x".repeat((1 << 20) + 1))))),
        Status.Code.INVALID_ARGUMENT,
        "inserts[1]");
    refused(
        StreamRequest.newBuilder().setNumber(1).setClaimDocs(ClaimDocsRequest.newBuilder()),
        Status.Code.INVALID_ARGUMENT,
        "claim docs: doc claim must name a doc set");
    refused(
        StreamRequest.newBuilder().setNumber(1).setCancelClaim(CancelClaimRequest.newBuilder()),
        Status.Code.INVALID_ARGUMENT,
        "client_id: missing");
  }

  @Test
  void shouldRefuseIdentitiesThatAreNone() {
    refused(
        insert(1)
            .setModify(
                ModifyRequest.newBuilder()
                    .setClientId(ByteString.copyFromUtf8("short"))
                    .setRequestNumber(1)
                    .addInserts(V1.data("q"))),
        Status.Code.INVALID_ARGUMENT,
        "client_id: 5 bytes");
    refused(
        insert(1)
            .setModify(
                ModifyRequest.newBuilder()
                    .setClientId(ByteString.copyFrom(new byte[16]))
                    .setRequestNumber(1)
                    .addInserts(V1.data("q"))),
        Status.Code.INVALID_ARGUMENT,
        "all zeros");
  }

  @Test
  void shouldRefuseANumberOutOfOrder() {
    // The client is known by its first request only.
    try (RawStream stream = RawStream.open(served.client, CLIENT)) {
      stream.send(insert(7));
      StreamResponse response = stream.response();
      assertThat(response.getError().getCode()).isEqualTo(Status.Code.UNKNOWN.value());
      assertThat(response.getError().getMessage()).startsWith("client_id:");
      isUnchanged();
      // Acknowledged below more than it is itself.
      stream.send(StreamRequests.newBuilder().setAckedBelow(9).addRequests(insert(1)));
      assertThat(stream.response().getError().getMessage()).contains("acked_below");
      isUnchanged();
    }
  }

  @Test
  void shouldEndAStreamByWhatCannotBeRead() {
    ends(bytes(0x1a, 127).toByteArray(), Status.Code.INVALID_ARGUMENT, "cannot be read");
    ends(bytes(0x0c).toByteArray(), Status.Code.INVALID_ARGUMENT, "cannot be read");
    ends(bytes(0x00).toByteArray(), Status.Code.INVALID_ARGUMENT, "cannot be read");
    ends(bytes(0x1f).toByteArray(), Status.Code.INVALID_ARGUMENT, "cannot be read");
    ends(bytes(0x10, 0x80).toByteArray(), Status.Code.INVALID_ARGUMENT, "cannot be read");
    // Numbers that are cut off in the middle, and longer than the message.
    ends(message(CANCELS, bytes(0x80)), Status.Code.INVALID_ARGUMENT, "cannot be read");
    ends(bytes(0x22, 9, 1).toByteArray(), Status.Code.INVALID_ARGUMENT, "cannot be read");
  }

  @Test
  void shouldEndAStreamWhoseRequestHasNoNumber() {
    ends(message(REQUESTS, ByteString.EMPTY), Status.Code.INVALID_ARGUMENT, "number: 0");
    ends(
        message(REQUESTS, insert(-1).build().toByteString()),
        Status.Code.INVALID_ARGUMENT,
        "number: 18446744073709551615");
    ends(message(REQUESTS, bytes(0xff)), Status.Code.INVALID_ARGUMENT, "number: 0");
  }

  @Test
  void shouldEndAStreamWhoseClientBecomesAnotherOne() {
    StreamHello.Builder another =
        StreamHello.newBuilder().setClientId(ByteString.copyFromUtf8("fedcba9876543210"));
    ends(
        StreamRequests.newBuilder().setHello(another).addRequests(insert(1)).build().toByteArray(),
        Status.Code.INVALID_ARGUMENT,
        "hello: only the first message has one");
  }

  @Test
  void shouldNotBeginAStreamWithoutAProperHello() {
    for (byte[] first :
        List.of(
            new byte[0],
            message(REQUESTS, insert(1).build().toByteString()),
            hello(bytes(0x0a, 9)))) {
      endsWith(new RawStream(served.client).send(first), Status.Code.INVALID_ARGUMENT, "hello");
    }
    for (byte[] first :
        List.of(hello(bytes(0x0a, 1, 7)), hello(bytes(0x0a, 16).concat(zeros(16))))) {
      endsWith(new RawStream(served.client).send(first), Status.Code.INVALID_ARGUMENT, "client_id");
    }
  }

  private static byte[] hello(ByteString hello) {
    return message(StreamRequests.HELLO_FIELD_NUMBER, hello);
  }

  private static ByteString zeros(int count) {
    return ByteString.copyFrom(new byte[count]);
  }

  @Test
  void shouldEndAStreamWhoseMessageIsTooLong() {
    byte[] message = StreamRequests.newBuilder().addRequests(insert(1)).build().toByteArray();
    byte[] padding = message(UNKNOWN, zeros(GrpcServerConfig.MESSAGE_BYTES_MAX_DEFAULT));
    byte[] both = ByteString.copyFrom(message).concat(ByteString.copyFrom(padding)).toByteArray();
    RawStream stream = RawStream.open(served.client, CLIENT);
    assertThat(both.length).isGreaterThan(stream.welcome().getMessageBytesMax());
    // The transport cuts it off before anybody has looked at it.
    assertThat(stream.send(both).end().getCode())
        .isIn(Status.Code.CANCELLED, Status.Code.RESOURCE_EXHAUSTED);
    isUnchanged();
    until("the stream is gone", () -> served.server.openStreams() == 0);
  }

  @Test
  void shouldPassOverWhatItDoesNotKnow() {
    byte[] unknown = message(UNKNOWN, ByteString.copyFromUtf8("of another version"));
    try (RawStream stream = new RawStream(served.client)) {
      stream.send(
          ByteString.copyFrom(hello(copy(unknown)))
              .concat(copy(unknown))
              .concat(copy(message(CANCELS, bytes(1, 2, 3))))
              .concat(
                  copy(message(REQUESTS, insert(1).build().toByteString().concat(copy(unknown)))))
              .toByteArray());
      assertThat(stream.response().hasModify()).isTrue();
    }
    assertThat(v1.queues(QueuesRequest.newBuilder()).get(0).getNumTasks()).isEqualTo(1);
  }

  private static ByteString copy(byte[] bytes) {
    return ByteString.copyFrom(bytes);
  }
}
