package io.entroq.codec.wire.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.NullValue;
import com.google.protobuf.Parser;
import com.google.protobuf.Value;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Bytes that were written down by hand from the contract, in both directions. */
class EdgeGoldenTest {
  /** How Go says that there is no time, contract 1.6. */
  private static final long GO_NO_TIME_MS = -6_795_364_578_871L;

  private static final String NO_TIME = "c9 93 d5 a5 9d ba fe ff ff 01";
  private static final String THIRTY_SECONDS = "b0 ea 01";

  @Test
  void shouldReadAnInsertOfAGoClientWithoutArrivalTime() {
    holds(
        "12 17 0a 01 71 10 " + NO_TIME + " 1a 02 08 00 22 03 61 62 63",
        ModifyRequest.newBuilder()
            .addInserts(
                TaskData.newBuilder()
                    .setQueue("q")
                    .setAtMs(GO_NO_TIME_MS)
                    .setValue(nullValue())
                    .setId("abc"))
            .build(),
        ModifyRequest.parser());
  }

  @Test
  void shouldReadAClaim() {
    holds(
        "0a 02 63 31 12 01 61 12 01 62 18 " + THIRTY_SECONDS + " 20 " + THIRTY_SECONDS,
        ClaimRequest.newBuilder()
            .setClaimantId("c1")
            .addQueues("a")
            .addQueues("b")
            .setDurationMs(30_000)
            .setPollMs(30_000)
            .build(),
        ClaimRequest.parser());
  }

  @Test
  void shouldReadTheExtensionsOfAClaim() {
    holds(
        "12 01 61 a2 06 10 000102030405060708090a0b0c0d0e0f a8 06 07 b0 06 05 b8 06 e8 07",
        ClaimRequest.newBuilder()
            .addQueues("a")
            .setClientId(bytes("000102030405060708090a0b0c0d0e0f"))
            .setRequestNumber(7)
            .setAckedBelow(5)
            .setLimit(1_000)
            .build(),
        ClaimRequest.parser());
  }

  @Test
  void shouldReadTheClaimInsideAModify() {
    holds(
        "0a 01 63 22 07 0a 01 74 10 04 1a 00 a2 06 01 ff ba 06 07 12 01 61 18 " + THIRTY_SECONDS,
        ModifyRequest.newBuilder()
            .setClaimantId("c")
            .addDeletes(TaskID.newBuilder().setId("t").setVersion(4))
            .setClientId(bytes("ff"))
            .setThenClaim(ClaimRequest.newBuilder().addQueues("a").setDurationMs(30_000))
            .build(),
        ModifyRequest.parser(),
        // Go leaves the empty queue out as Java does; some other client may not.
        "1a 00");
  }

  @Test
  void shouldReadAChangeThatRepeatsTheId() {
    holds(
        "1a 18 0a 08 0a 01 74 10 03 1a 01 61 12 0c 0a 01 62 10 01 22 01 74 28 02 32 00",
        ModifyRequest.newBuilder()
            .addChanges(
                TaskChange.newBuilder()
                    .setOldId(TaskID.newBuilder().setId("t").setVersion(3).setQueue("a"))
                    .setNewData(
                        TaskData.newBuilder().setQueue("b").setAtMs(1).setId("t").setAttempt(2)))
            .build(),
        ModifyRequest.parser(),
        "32 00");
  }

  @Test
  void shouldTellAbsentFromNullAndFromEmpty() throws InvalidProtocolBufferException {
    Task absent = Task.parseFrom(bytes("12 01 74"));
    Task withNull = Task.parseFrom(bytes("12 01 74 32 02 08 00"));
    Task withEmpty = Task.parseFrom(bytes("12 01 74 32 00"));

    assertThat(absent.hasValue()).isFalse();
    assertThat(withNull.getValue()).isEqualTo(nullValue());
    assertThat(withEmpty.hasValue()).isTrue();
    assertThat(hex(absent)).isEqualTo("12 01 74");
    assertThat(hex(withNull)).isEqualTo("12 01 74 32 02 08 00");
    assertThat(hex(withEmpty)).isEqualTo("12 01 74 32 00");
  }

  @Test
  void shouldWriteAClaimedTask() {
    holds(
        "0a 26 0a 01 71 12 01 74 18 02 20 fb dd f6 a0 aa 33 2a 01 63 "
            + "32 03 1a 01 78 38 01 40 02 48 03 50 04 5a 05 6f 6f 70 73 21",
        ClaimResponse.newBuilder()
            .setTask(
                Task.newBuilder()
                    .setQueue("q")
                    .setId("t")
                    .setVersion(2)
                    .setAtMs(1_763_690_000_123L)
                    .setClaimantId("c")
                    .setValue(Value.newBuilder().setStringValue("x").build().toByteString())
                    .setCreatedMs(1)
                    .setModifiedMs(2)
                    .setClaims(3)
                    .setAttempt(4)
                    .setErr("oops!"))
            .build(),
        ClaimResponse.parser());
  }

  @Test
  void shouldLeaveOutThatAnEntryIsOfAClaim() {
    holds(
        "12 05 0a 01 74 10 07",
        ModifyDep.newBuilder()
            .setType(ActionType.CLAIM)
            .setId(TaskID.newBuilder().setId("t").setVersion(7))
            .build(),
        ModifyDep.parser());
    holds(
        "08 04 1a 02 6e 6f",
        ModifyDep.newBuilder().setType(ActionType.DETAIL).setMsg("no").build(),
        ModifyDep.parser());
  }

  @Test
  void shouldWriteStatistics() {
    holds(
        "0a 0d 0a 01 71 10 06 18 01 20 02 28 09 30 03",
        QueuesResponse.newBuilder()
            .addQueues(
                QueueStats.newBuilder()
                    .setName("q")
                    .setNumTasks(6)
                    .setNumClaimed(1)
                    .setNumAvailable(2)
                    .setMaxClaims(9)
                    .setNumFuture(3))
            .build(),
        QueuesResponse.parser());
    holds(
        "08 fb dd f6 a0 aa 33 a0 06 07",
        TimeResponse.newBuilder().setTimeMs(1_763_690_000_123L).setFeatures(7).build(),
        TimeResponse.parser());
  }

  @Test
  void shouldReadAListing() {
    holds(
        "0a 01 63 12 01 71 18 ff ff ff ff ff ff ff ff ff 01 22 01 74 22 01 75 28 01",
        TasksRequest.newBuilder()
            .setClaimantId("c")
            .setQueue("q")
            .setLimit(-1)
            .addTaskId("t")
            .addTaskId("u")
            .setOmitValues(true)
            .build(),
        TasksRequest.parser());
  }

  private static <M extends Message> void holds(String golden, M message, Parser<M> parser) {
    holds(golden, message, parser, "");
  }

  /**
   * The bytes are the message, and the message is the bytes.
   *
   * @param notWritten what some clients write of a default, and we do not
   */
  private static <M extends Message> void holds(
      String golden, M message, Parser<M> parser, String notWritten) {
    try {
      assertThat(parser.parseFrom(bytes(golden))).isEqualTo(message);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(golden, e);
    }
    if (notWritten.isEmpty()) {
      assertThat(message.toByteString()).isEqualTo(bytes(golden));
    } else {
      assertThat(golden).contains(notWritten);
    }
  }

  private static ByteString nullValue() {
    return Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build().toByteString();
  }

  private static String hex(MessageLite message) {
    return HexFormat.ofDelimiter(" ").formatHex(message.toByteArray());
  }

  private static ByteString bytes(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex.replace(" ", "")));
  }
}
