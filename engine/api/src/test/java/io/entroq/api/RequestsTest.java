package io.entroq.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.wire.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What requests hold, and what they refuse. */
class RequestsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Task TASK =
      new Task(
          TaskId.of("t"),
          3,
          "inbox",
          NOW.plusSeconds(30),
          "me",
          Value.text("v"),
          NOW,
          NOW,
          2,
          1,
          "why");

  @Test
  void shouldClaimForFortyFiveSecondsAndWaitUnlessToldOtherwise() {
    Claim claim = Claim.from("b", "a", "b");

    assertThat(claim.queues()).containsExactly("b", "a");
    assertThat(claim.lease()).isEqualTo(Duration.ofSeconds(45));
    assertThat(claim.leaseMs()).isEqualTo(45_000);
    assertThat(claim.limit()).isEqualTo(1);
    assertThat(claim.waitsForever()).isTrue();
    assertThat(claim.claimant()).isEmpty();
    Claim other =
        claim
            .withLease(Duration.ofSeconds(5))
            .withLimit(7)
            .withMaxWait(Duration.ofSeconds(1))
            .withClaimant("me");
    assertThat(other)
        .isEqualTo(
            new Claim(List.of("b", "a"), Duration.ofSeconds(5), 7, Duration.ofSeconds(1), "me"));
    assertThat(other.waitsForever()).isFalse();
  }

  @Test
  void shouldNameTheFieldThatIsWrong() {
    assertInvalid(() -> Claim.from(), "number of queues");
    assertInvalid(() -> Claim.from(names(1_001)), "number of queues must be from 1 to 1000");
    assertInvalid(() -> Claim.from(""), "queue must not be empty");
    assertInvalid(() -> Claim.from("é".repeat(513)), "at most 1024 bytes, has 1026");
    assertInvalid(() -> Claim.from("a\ud800"), "unpaired surrogate at character 1");
    assertInvalid(() -> Claim.from("x").withLease(Duration.ofMillis(-1)), "lease");
    assertInvalid(() -> Claim.from("x").withLimit(0), "limit");
    assertInvalid(() -> Claim.from("x").withLimit(1_001), "limit must be from 1 to 1000");
    assertInvalid(() -> Claim.from("x").withMaxWait(Duration.ofNanos(-1)), "maxWait");
    assertInvalid(() -> Claim.from("x").withClaimant("c".repeat(1_025)), "claimant");
    assertInvalid(() -> Insert.into(""), "queue");
    assertInvalid(() -> Insert.into("x").withAttempt(0, "\udc00"), "err");
    assertInvalid(() -> Insert.into("x").availableIn(Duration.ofMillis(-1)), "delay");
    assertInvalid(() -> Change.of(TASK).moveTo(""), "queue");
    assertInvalid(() -> new TaskRef(TASK.id(), -1, "inbox"), "version");
    assertInvalid(() -> TaskId.of(""), "task id");
    assertInvalid(() -> TaskId.of("i".repeat(1_025)), "task id");
    assertInvalid(() -> TaskId.of("\ud800"), "task id");
    assertInvalid(() -> TaskQuery.in(""), "queue");
    assertInvalid(() -> TaskQuery.in("x").withLimit(-1), "limit");
    assertInvalid(() -> QueueQuery.all().withLimit(-1), "limit");
    assertInvalid(() -> Value.json("{"), "value");
    assertInvalid(() -> Value.wrap(Value.Kind.ABSENT, new byte[1]), "absent");
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  private static void assertInvalid(Runnable request, String message) {
    assertThatThrownBy(request::run)
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining(message);
  }

  @Test
  void shouldAllowTheLongestNames() {
    assertThat(Claim.from("é".repeat(512)).queues().get(0)).hasSize(512);
    assertThat(Insert.into("🚀".repeat(256)).queue()).hasSize(512);
    assertThat(Insert.into("€".repeat(341)).queue()).hasSize(341);
  }

  @Test
  void shouldChangeNothingButTheVersionUnlessTold() {
    assertThat(Change.of(TASK))
        .isEqualTo(
            new Change(
                new TaskRef(TASK.id(), 3, TASK.queue()),
                "inbox",
                Arrival.at(TASK.arrivalTime()),
                Value.text("v"),
                1,
                "why"));
    assertThat(Change.of(TASK).moveTo("next").arrival()).isEqualTo(Arrival.now());
    assertThat(Change.of(TASK).availableAt(NOW).arrival()).isEqualTo(Arrival.at(NOW));
  }

  @Test
  void shouldJoinModifications() {
    Claim claim = Claim.from("x");
    Modification both =
        Modification.delete(TASK)
            .withClaimant("me")
            .and(Modification.insert("a", "1").thenClaim(claim))
            .and(Modification.depend(new TaskRef(TaskId.of("d"), 1, "inbox")))
            .and(Modification.change(Change.of(TASK)));

    assertThat(both.deletes()).containsExactly(TASK.ref());
    assertThat(both.inserts()).extracting(Insert::queue).containsExactly("a");
    assertThat(both.depends()).hasSize(1);
    assertThat(both.changes()).hasSize(1);
    assertThat(both.thenClaim()).contains(claim);
    assertThat(both.claimant()).isEqualTo("me");
    assertThat(both.toBuilder().build()).isEqualTo(both);
    assertThat(both.isEmpty()).isFalse();
    assertThat(Modification.empty().isEmpty()).isTrue();
  }

  @Test
  void shouldResolveArrivalsByTheClockOfTheEngine() {
    long now = NOW.toEpochMilli();

    assertThat(Arrival.now().resolveMs(now)).isEqualTo(now);
    assertThat(Arrival.in(Duration.ofSeconds(1)).resolveMs(now)).isEqualTo(now + 1_000);
    assertThat(Arrival.in(Claim.FOREVER).resolveMs(now)).isEqualTo(Long.MAX_VALUE);
    assertThat(Arrival.at(NOW.plusNanos(1_999_999)).resolveMs(0)).isEqualTo(now + 1);
    assertThat(Arrival.at(Instant.MAX).resolveMs(now)).isEqualTo(Long.MAX_VALUE);
    assertThat(Arrival.at(Instant.MIN).resolveMs(now)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void shouldTellIdsApartByTheirText() {
    TaskId canonical = TaskId.of("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
    TaskId upperCase = TaskId.of("6BA7B810-9DAD-11D1-80B4-00C04FD430C8");

    assertThat(canonical)
        .isEqualTo(TaskId.of(UUID.fromString(canonical.text())))
        .isEqualTo(TaskId.of(canonical.key()))
        .hasSameHashCodeAs(TaskId.of(canonical.key()))
        .isNotEqualTo(upperCase);
    assertThat(upperCase.text()).isEqualTo("6BA7B810-9DAD-11D1-80B4-00C04FD430C8");
    assertThat(TaskId.of("0123456789abcdef").text()).isEqualTo("0123456789abcdef");
    assertThat(TaskId.of("a")).isLessThan(TaskId.of("b"));
    assertThat(TaskId.random()).isNotEqualTo(TaskId.random());
  }

  @Test
  void shouldDeriveTheSameIdFromTheSameTask() {
    TaskId id = TaskId.of("parent");

    assertThat(id.derive("1")).isEqualTo(TaskId.of("parent").derive("1"));
    assertThat(id.derive("1")).isNotEqualTo(id.derive("2")).isNotEqualTo(id);
    assertThat(TaskId.of("a").derive("bc")).isNotEqualTo(TaskId.of("ab").derive("c"));
    assertThat(TaskId.of(id.derive("1").text())).isEqualTo(id.derive("1"));
    assertThat(UUID.fromString(id.derive("1").text()).version()).isEqualTo(8);
    assertThat(UUID.fromString(id.derive("1").text()).variant()).isEqualTo(2);
  }

  @Test
  void shouldKeepValuesApartFromTheirCallers() {
    byte[] bytes = {1, 2, 3};
    Value value = Value.bytes(bytes);
    bytes[0] = 9;
    value.toBytes()[1] = 9;

    assertThat(value).isEqualTo(Value.bytes(new byte[] {1, 2, 3}));
    assertThat(value.asByteBuffer().isReadOnly()).isTrue();
    assertThat(value.size()).isEqualTo(3);
    assertThat(Value.wrap(Value.Kind.ABSENT, new byte[0])).isSameAs(Value.absent());
  }

  @Test
  void shouldStoreATextAsTheJsonStringThatOtherClientsSee() {
    for (String text :
        List.of("", "hello", "null", "42", "\"\\\n", "Grüße 🚀", "x".repeat(70_000))) {
      Value value = Value.text(text);
      assertThat(value.kind()).isEqualTo(Value.Kind.JSON);
      assertThat(value).isEqualTo(Value.json(quoted(text)));
      assertThat(value.asText()).isEqualTo(text);
    }
    assertThat(Value.text("\ud800").asText()).isEqualTo("?");
    assertThat(Value.json("[\"a\"]").asText()).isEqualTo("[\"a\"]");
  }

  @Test
  void shouldShowJsonAsItIsParsed() {
    for (String json : List.of("\"a \\\"b\\\"\"", "null", "1", "{\"a\":[true,\"b\"]}")) {
      assertThat(Value.json(json).asJson()).isEqualTo(json);
    }
    assertThatThrownBy(() -> Value.bytes(new byte[1]).asJson())
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThatThrownBy(() -> Value.absent().asJson())
        .isInstanceOf(EntroQException.InvalidArgument.class);
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder();
    JsonText.append(json, text);
    return json.toString();
  }

  @Test
  void shouldTellKindsOfValuesApart() {
    assertThat(Value.absent())
        .isNotEqualTo(Value.bytes(new byte[0]))
        .isNotEqualTo(Value.json("null"));
    assertThat(Value.json(" [1, 2.50, {\"b\": null, \"a\": \"x\"}] ").asText())
        .isEqualTo("[1,2.5,{\"a\":\"x\",\"b\":null}]");
    assertThat(Value.text("hello").asText()).isEqualTo("hello");
    assertThat(Value.bytes(new byte[] {'h', 'i'}).asText()).isEqualTo("hi");
    assertThat(Value.absent().asText()).isEmpty();
    assertThat(Value.text("hello")).hasToString("JSON(7 bytes)");
    assertThat(Value.absent()).hasToString("absent");
  }

  @Test
  void shouldSayWhatDidNotFit() {
    ModifyResult.DependencyFailure failure =
        new ModifyResult.DependencyFailure(
            List.of(new TaskRef(TaskId.of("x"), 2, "inbox")),
            List.of(),
            List.of(TASK.ref()),
            List.of(),
            List.of());

    assertThat(failure)
        .hasToString(
            "modification refused: task ids in use [x@2 in inbox]; missing to delete [t@3 in inbox];");
    assertThat(failure.onlyCollisions()).isFalse();
    assertThatThrownBy(new ModifyResult.OutcomeUnknown("reply lost")::orThrow)
        .isInstanceOf(EntroQException.OutcomeUnknown.class)
        .hasMessage("reply lost");
  }

  @Test
  void shouldKnowWhichErrorsPass() {
    assertThat(new EntroQException.Unavailable("x").isTemporary()).isTrue();
    assertThat(new EntroQException.ResourceExhausted("x").isTemporary()).isTrue();
    assertThat(new EntroQException.OutcomeUnknown("x").isTemporary()).isTrue();
    assertThat(new EntroQException.InvalidArgument("x").isTemporary()).isFalse();
    assertThat(new EntroQException.Closed("x").isTemporary()).isFalse();
    assertThat(new EntroQException.TimedOut("x").isTemporary()).isFalse();
  }
}
