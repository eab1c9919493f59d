package io.entroq.service.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TimeRequest;
import io.entroq.codec.wire.published.v1.TimeResponse;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.V1Docs;
import io.entroq.service.limit.LeaseBounds;
import io.entroq.service.queue.ClampedLeases;
import io.entroq.service.queue.ClampedLeases.Kind;
import io.entroq.service.queue.ClampedLeases.Reason;
import io.entroq.service.queue.LeaseFilter;
import io.grpc.Status;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How long claims may be, protocol 2, 3.8. */
class ClaimLeaseTest {
  private static final long DEFAULT_MS = 45_000;
  private static final long CEILING_MS = 3_600_000;
  private static final String CLAMPED = "entroq-lease-clamped";

  private final ClampedLeases clamped = new ClampedLeases();
  private final ServedTransports doors;
  private final V1 v1;
  private final V1Docs docs;

  ClaimLeaseTest() throws IOException {
    doors =
        new ServedTransports(
            service -> LeaseFilter.before(service, LeaseBounds.DEFAULT, clamped), Optional.empty());
    v1 = new V1(doors.client);
    docs = new V1Docs(doors.client);
  }

  @AfterEach
  void close() {
    doors.close();
  }

  private static long lease(Task task) {
    return task.getAtMs() - task.getModifiedMs();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 45000",
    "1, 45000",
    "44999, 45000",
    "45000, 45000",
    "45001, 45001",
    "3600000, 3600000",
    "3600001, 3600000",
    "9223372036854775807, 3600000"
  })
  void shouldGrantALeaseFromTheFloorToTheCeiling(long askedMs, long grantedMs) {
    v1.insert("q", "a");
    v1.insert("q", "b");
    v1.insert("q", "c");
    assertThat(lease(v1.tryClaim(V1.claim("c", "q").setDurationMs(askedMs).build()).getTask()))
        .isEqualTo(grantedMs);
    assertThat(lease(v1.claim(V1.claim("c", "q").setDurationMs(askedMs).build()).getTask()))
        .isEqualTo(grantedMs);
    ModifyResponse modified =
        v1.modify(
            ModifyRequest.newBuilder()
                .setClaimantId("c")
                .addInserts(V1.data("other"))
                .setThenClaim(V1.claim("c", "q").setDurationMs(askedMs)));
    assertThat(lease(modified.getClaimed(0))).isEqualTo(grantedMs);

    docs.insert(V1Docs.data("ns", "k", ""));
    long untilMs = docs.claim(V1Docs.claim("c", "ns", "k", askedMs)).get(0).getAtMs();
    assertThat(untilMs - nowMs()).isBetween(grantedMs - 30_000, grantedMs);
  }

  /** By the clock of the log, a moment later. */
  private long nowMs() {
    return doors
        .client
        .call(
            "api.EntroQ/Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance())
        .getTimeMs();
  }

  @Test
  void shouldGrantTheDefaultToAClaimOverRestWithoutADuration() {
    v1.insert("q", "a");
    HttpResponse<byte[]> answer =
        post("/api/v0/claim", "{\"claimantId\":\"c\",\"queues\":[\"q\"]}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(lease(v1.task("a"))).isEqualTo(DEFAULT_MS);
    // It is not another lease than the one asked for.
    assertThat(answer.headers().firstValue(CLAMPED)).isEmpty();
    assertNothingClamped();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseANegativeDuration(Transport way) {
    v1.insert("q", "a");
    for (String method : new String[] {"Claim", "TryClaim"}) {
      TransportRequest request = TransportRequest.of(method, V1.claim("c", "q").setDurationMs(-5));
      TransportAnswer answer = way.ask(doors, request).orElseThrow();
      assertThat(answer.code()).as("%s", answer).isEqualTo(Status.Code.INVALID_ARGUMENT);
      if (way != Transport.V0) {
        assertThat(answer.message())
            .isEqualTo(
                (method.equals("Claim") ? "claim" : "try claim")
                    + ": claim duration must be positive, got -5ms");
      }
    }
    if (way != Transport.V0) {
      assertThat(way.ask(doors, TransportRequest.of("ClaimDocs", V1Docs.claim("c", "n", "k", -1))))
          .contains(
              new TransportAnswer(
                  Status.Code.INVALID_ARGUMENT,
                  "claim docs: claim duration must be positive, got -1ms"));
      assertThat(
              way.ask(
                  doors,
                  TransportRequest.of(
                      "Modify",
                      ModifyRequest.newBuilder()
                          .setClaimantId("c")
                          .addInserts(V1.data("other"))
                          .setThenClaim(V1.claim("c", "q").setDurationMs(-7)))))
          .contains(
              new TransportAnswer(
                  Status.Code.INVALID_ARGUMENT,
                  "modify: then_claim: claim duration must be positive, got -7ms"));
    }
    assertThat(v1.task("a").getVersion()).isZero();
    assertThat(v1.task("a").getClaims()).isZero();
  }

  @Test
  void shouldCountClampedLeases() {
    for (int i = 0; i < 3; i++) {
      v1.insert("q", "t" + i);
    }
    v1.tryClaim(V1.claim("c", "q").setDurationMs(50).build());
    v1.claim(V1.claim("c", "q").setDurationMs(50).build());
    v1.tryClaim(V1.claim("c", "q").setDurationMs(CEILING_MS + 1).build());
    docs.claim(V1Docs.claim("c", "ns", "k", 1));
    docs.claim(V1Docs.claim("c", "ns", "k", Long.MAX_VALUE));
    docs.claim(V1Docs.claim("c", "ns", "k", Long.MAX_VALUE));
    assertThat(clamped.of(Kind.TASK, Reason.BELOW_FLOOR)).isEqualTo(2);
    assertThat(clamped.of(Kind.TASK, Reason.ABOVE_CEILING)).isEqualTo(1);
    assertThat(clamped.of(Kind.DOC, Reason.BELOW_FLOOR)).isEqualTo(1);
    assertThat(clamped.of(Kind.DOC, Reason.ABOVE_CEILING)).isEqualTo(2);
  }

  private void assertNothingClamped() {
    for (Kind kind : Kind.values()) {
      for (Reason reason : Reason.values()) {
        assertThat(clamped.of(kind, reason)).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v0/claim", "/api/v0/claim/wait", "/api.EntroQ/Claim"})
  void shouldTellOfAClampedLeaseInAHeader(String path) {
    v1.insert("q", "a");
    v1.insert("q", "b");
    String claim = "{\"claimantId\":\"c\",\"queues\":[\"q\"],\"durationMs\":\"%s\"}";
    assertThat(post(path, claim.formatted(50)).headers().allValues(CLAMPED))
        .containsExactly("below_floor; requested_ms=50; granted_ms=45000");
    assertThat(post(path, claim.formatted(7_200_000)).headers().allValues(CLAMPED))
        .containsExactly("above_ceiling; requested_ms=7200000; granted_ms=3600000");
  }

  @Test
  void shouldTellOfAClampedLeaseInATrailer() {
    v1.insert("q", "a");
    assertThat(
            doors.client.trailer(
                "api.EntroQ/TryClaim",
                V1.claim("c", "q").setDurationMs(50).build(),
                ClaimResponse.getDefaultInstance(),
                CLAMPED))
        .contains("below_floor; requested_ms=50; granted_ms=45000");
    assertThat(
            doors.client.trailer(
                "api.EntroQ/TryClaim",
                V1.claim("c", "q").setDurationMs(50_000).build(),
                ClaimResponse.getDefaultInstance(),
                CLAMPED))
        .isEmpty();
  }

  @Test
  void shouldBoundLeasesOnAStream() {
    v1.insert("q", "a");
    Task task =
        doors
            .ask(StreamRequest.newBuilder().setTryClaim(V1.claim("c", "q").setDurationMs(50)))
            .getClaim()
            .getTask();
    assertThat(lease(task)).isEqualTo(DEFAULT_MS);
  }

  /** A worker may shorten or lengthen the lease that it holds. */
  @ParameterizedTest
  @ValueSource(longs = {50, 7_200_000})
  void shouldNotClampARenewal(long leaseMs) {
    v1.insert("q", "a");
    Task task = v1.tryClaim("c", "q").getTask();
    TaskChange.Builder renewal = V1.change(task);
    renewal.getNewDataBuilder().setAtMs(task.getModifiedMs() + leaseMs);
    Task renewed =
        v1.modify(ModifyRequest.newBuilder().setClaimantId("c").addChanges(renewal)).getChanged(0);
    assertThat(renewed.getAtMs()).isEqualTo(task.getModifiedMs() + leaseMs);
  }

  /** Its claims without a duration are available again at once. */
  @Test
  void shouldKeepTheRuleOfTheOlderApi() {
    v1.insert("q", "12345678-9abc-4def-8123-456789abcdef");
    for (int i = 0; i < 2; i++) {
      assertThat(
              Transport.V0
                  .ask(
                      doors,
                      TransportRequest.of(
                          "Claim",
                          V1.claim("5e5e5e5e-9abc-4def-8123-456789abcdef", "q").setDurationMs(0)))
                  .orElseThrow())
          .isEqualTo(TransportAnswer.OK);
    }
    Task task = v1.task("12345678-9abc-4def-8123-456789abcdef");
    assertThat(task.getClaims()).isEqualTo(2);
    assertThat(lease(task)).isZero();
    assertNothingClamped();
  }

  @Test
  void shouldAdjustTheDefaultToTheBounds() {
    Duration second = Duration.ofSeconds(1);
    Duration minute = Duration.ofMinutes(1);
    Duration hour = Duration.ofHours(1);
    assertThat(LeaseBounds.of(second, minute, hour).granted(0)).isEqualTo(60_000);
    assertThat(LeaseBounds.of(hour, second, minute).granted(0)).isEqualTo(60_000);
    assertThat(LeaseBounds.of(minute, Duration.ofMillis(1), hour).granted(1)).isEqualTo(1);
  }

  private HttpResponse<byte[]> post(String path, String json) {
    return doors.post(path, "application/json", json.getBytes(UTF_8));
  }
}
