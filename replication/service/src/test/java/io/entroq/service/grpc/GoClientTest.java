package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.entroq.codec.wire.published.v1.ActionType;
import io.entroq.codec.wire.published.v1.ClaimDocsRequest;
import io.entroq.codec.wire.published.v1.ClaimDocsResponse;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.Doc;
import io.entroq.codec.wire.published.v1.ModifyDep;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.TimeRequest;
import io.entroq.codec.wire.published.v1.TimeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The sequence of a Go client of protocol 2: it asks for the time, then declares protocol 2 with
 * each request. The messages are bytes as the schema of protocol 2 numbers their fields, and not
 * written by the classes of this build.
 */
class GoClientTest {
  private final ServedQueue served = new ServedQueue();
  private final WireClient client = WireClient.declaring(served.server.port(), "2");

  @AfterEach
  void close() {
    client.close();
    served.close();
  }

  /** A field of the wire format, whose number is below 16 and whose bytes are fewer than 128. */
  private static String field(int number, String hex) {
    return "%02x%02x%s".formatted(number << 3 | 2, hex.length() / 2, hex);
  }

  private static String text(int number, String text) {
    return field(number, HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static UnknownFieldSet message(String... fields) {
    try {
      return UnknownFieldSet.parseFrom(
          ByteString.copyFrom(HexFormat.of().parseHex(String.join("", fields))));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private ModifyResponse modify(String... fields) {
    return client.call(
        "api.EntroQ/Modify",
        ModifyRequest.newBuilder().setUnknownFields(message(fields)).build(),
        ModifyResponse.getDefaultInstance());
  }

  private ClaimDocsResponse claimDocs(String... claim) {
    return client.call(
        "api.EntroQ/ClaimDocs",
        ClaimDocsRequest.newBuilder()
            .setUnknownFields(message(field(1, String.join("", claim))))
            .build(),
        ClaimDocsResponse.getDefaultInstance());
  }

  private static String taskId(String id, int version) {
    return text(1, id) + (version == 0 ? "" : "10%02x".formatted(version)) + text(3, "q");
  }

  private static String setId(String key, int version) {
    return text(1, "ns") + (version == 0 ? "" : "18%02x".formatted(version)) + text(4, key);
  }

  @Test
  void shouldWorkWithTasksAndSets() throws Exception {
    TimeResponse time =
        served.client.call(
            "api.EntroQ/Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());
    assertThat(time.getTimeMs()).isPositive();

    String claimant = text(1, "w1");
    // queue, by_ms 60,000 and id.
    modify(claimant, field(2, text(1, "q") + text(4, "later") + "38e0d403"));
    modify(claimant, field(2, text(1, "q") + text(4, "t")));
    ClaimResponse claimed =
        client.call(
            "api.EntroQ/Claim",
            ClaimRequest.newBuilder()
                .setUnknownFields(message(claimant, text(2, "q"), "18b0ea01"))
                .build(),
            ClaimResponse.getDefaultInstance());
    assertThat(claimed.getTask().getId()).isEqualTo("t");
    assertThat(claimed.getTask().getAtMs() - claimed.getTask().getModifiedMs()).isEqualTo(30_000);

    // A lease of 120,000 ms by mode 2.
    ModifyResponse renewed =
        modify(claimant, field(3, field(1, taskId("t", 1)) + field(2, "38c0a907") + "1802"));
    assertThat(renewed.getChanged(0).getVersion()).isEqualTo(2);
    assertThat(renewed.getChanged(0).getAtMs() - renewed.getChanged(0).getModifiedMs())
        .isEqualTo(120_000);

    // Two sets, the second without its members, until the task's lease ends.
    String sets = field(5, field(1, setId("a", 0))) + field(5, field(1, setId("b", 0)) + "1001");
    ClaimDocsResponse docs = claimDocs(text(2, "w1"), sets, field(7, taskId("t", 2)));
    assertThat(docs.getSetsList()).extracting(Doc::getKey).containsExactly("a", "b");
    assertThat(docs.getSetsList())
        .allMatch(set -> set.getAtMs() == renewed.getChanged(0).getAtMs() && set.getVersion() == 1);

    // A lease of one set and an insert into it move it once.
    ModifyResponse both =
        modify(
            claimant,
            field(6, text(1, "ns") + text(3, "a")),
            field(7, field(1, setId("a", 1)) + field(2, "48e0d403") + "1802"),
            field(9, setId("b", 1)));
    assertThat(both.getInsertedDocs(0).getVersion()).isEqualTo(2);
    assertThat(both.getChangedDocs(0).getVersion()).isEqualTo(2);
    assertThat(both.getChangedDocs(0).getLen()).isEqualTo(1);
    assertThat(both.getChangedDocs(0).getClaimant()).isEqualTo("w1");
    assertThat(both.getChangedDocs(0).getAtMs() - both.getChangedDocs(0).getModifiedMs())
        .isEqualTo(60_000);

    // A move that resets the claims, with the task's queue as the key.
    ModifyResponse moved =
        modify(claimant, field(3, field(1, taskId("t", 2)) + field(2, text(1, "r")) + "1801"));
    assertThat(moved.getChanged(0).getClaims()).isZero();
    assertThat(moved.getChanged(0).getQueue()).isEqualTo("r");
  }

  @Test
  void shouldReportAllFailuresTogether() throws Exception {
    claimDocs(text(2, "w2"), "20b0ea01", field(5, field(1, setId("held", 0))));
    StatusRuntimeException refused =
        ServedQueue.refusal(
            () ->
                modify(
                    text(1, "w1"),
                    field(3, field(1, taskId("none", 1)) + field(2, "3801") + "1802"),
                    field(4, taskId("gone", 0)),
                    field(7, field(1, setId("held", 1)) + field(2, "4801") + "1802"),
                    field(7, field(1, setId("unknown", 3)) + field(2, "4801") + "1802"),
                    field(9, setId("free", 0))));
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    List<ModifyDep> entries =
        ServedQueue.details(refused).stream().map(GoClientTest::entry).toList();
    assertThat(entries)
        .extracting(
            entry -> entry.getType() + " " + entry.getId().getId() + entry.getDocId().getKey())
        .containsExactly(
            ActionType.DETAIL + " ",
            ActionType.CHANGE + " none",
            ActionType.DELETE + " gone",
            ActionType.CLAIM + " held",
            ActionType.CHANGE + " unknown",
            ActionType.DEPEND + " free");
    assertThat(entries.subList(3, 6)).noneMatch(entry -> entry.getDocId().hasId());
  }

  private static ModifyDep entry(Any detail) {
    try {
      return ModifyDep.parseFrom(detail.getValue());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  /** An arrival time as a duration is as exact as the clock, and never overflows. */
  @Test
  void shouldSaturateDurations() {
    // by_ms of 2^63 - 1.
    ModifyResponse never =
        modify(text(1, "w1"), field(2, text(1, "q") + text(4, "never") + "38ffffffffffffffff7f"));
    assertThat(never.getInserted(0).getAtMs()).isGreaterThan(1L << 60);
    // by_ms of -2^63.
    ModifyResponse past =
        modify(text(1, "w1"), field(2, text(1, "q") + text(4, "past") + "3880808080808080808001"));
    assertThat(past.getInserted(0).getAtMs())
        .isLessThanOrEqualTo(past.getInserted(0).getModifiedMs());
    assertThat(past.getInserted(0).getClaimantId()).isEmpty();
  }
}
