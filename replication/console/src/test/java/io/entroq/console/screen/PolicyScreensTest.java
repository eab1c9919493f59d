package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.service.call.Method;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies of prefixes and pools, and limiters: what is shown of them, and what can be done. */
class PolicyScreensTest {
  private static final Map<String, String> PREFIX = Map.of("target", "prefix", "name", "mail/");
  private static final Map<String, String> LIMITER =
      Map.of("target", "limiter", "name", "stripe-api");

  private final ServedScreens screens = new ServedScreens();

  @AfterEach
  void close() {
    screens.close();
  }

  private void insert(String queue) {
    screens.queue.modify(Modification.insert(Insert.into(queue))).orThrow();
  }

  private boolean canClaim(String queue) {
    return screens.queue.tryClaim(Claim.from(queue)).isPresent();
  }

  private Optional<Policies.Entry> entry(Policies.Target target) {
    return screens.queue.policies().get(target);
  }

  private static Map<String, String> with(Map<String, String> target, String... more) {
    Map<String, String> all = new HashMap<>(target);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private String page(String path, Map<String, String> parameters) {
    return screens.page(
        path,
        parameters.entrySet().stream()
            .flatMap(each -> List.of(each.getKey(), each.getValue()).stream())
            .toArray(String[]::new));
  }

  @Test
  void shouldPauseAndResumeAPrefix() {
    insert("mail/a");
    insert("mailbox");
    assertThat(page("/do/pause", PREFIX))
        .contains("Pause: prefix mail/", "from a queue whose name begins with this")
        .contains("The names of 0 queues begin with mail/");
    assertThat(screens.after(screens.act("pause", PREFIX)))
        .contains("It is paused: no claim", "It is paused until somebody resumes it.", "Resume");
    assertThat(canClaim("mail/a")).isFalse();
    assertThat(canClaim("mailbox")).isTrue();
    String queue = screens.page("/queue", "name", "mail/a");
    assertThat(queue)
        .contains("The queue is paused until somebody resumes it.")
        .contains("All queues whose names begin with mail/ are paused.", "See the prefix")
        // Resuming the queue would change nothing.
        .contains("/console/do/pause?name=mail%2Fa")
        .doesNotContain("/console/do/resume");
    assertThat(screens.page("/queue", "name", "mail/none"))
        .as("of a queue without tasks")
        .contains("All queues whose names begin with mail/ are paused.");
    assertThat(screens.after(screens.act("resume", PREFIX))).contains("It is resumed.");
    assertThat(canClaim("mail/a")).isTrue();
  }

  @Test
  void shouldPauseALimiterForAWhile() {
    screens.queue.policies().put(QueuePolicy.of("a").limiters("stripe-api"));
    screens.queue.policies().put(QueuePolicy.prefix("b/").limiters("other", "stripe-api"));
    insert("a");
    assertThat(page("/do/pause", LIMITER))
        .contains("a queue that shares the limiter", "of these policies: queue a, prefix b/.");
    assertThat(screens.after(screens.act("pause", LIMITER, "seconds", "60")))
        .contains("It is paused until 2026-01-01 00:01:00.000 UTC.", "It has no rules; version 1")
        .contains("Policies that name it", "/console/queue?name=a", ">prefix b/<");
    assertThat(canClaim("a")).isFalse();
    screens.queue.advance(Duration.ofSeconds(61));
    assertThat(canClaim("a")).isTrue();
  }

  @Test
  void shouldPauseAPoolWithItsMembers() {
    screens.queue.policies().put(QueuePolicy.of("inbox").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    insert("inbox/ann");
    assertThat(screens.page("/do/pause", "name", "inbox"))
        .contains("from the pool or from a member of it", "The pool has 0 queues below it.");
    // It has no tasks of its own, and is paused nevertheless.
    assertThat(screens.after(screens.act("pause", Map.of("name", "inbox"))))
        .contains(
            "The queue is paused until somebody resumes it.", "/console/do/resume?name=inbox");
    assertThat(canClaim("inbox")).isFalse();
    assertThat(canClaim("inbox/ann")).isFalse();
    assertThat(screens.page("/queue", "name", "inbox/ann"))
        .contains("The queue belongs to the pool inbox, which is paused.", "See the pool");
    assertThat(screens.page("/queue", "name", "inbox/err")).doesNotContain("belongs to the pool");
    screens.after(screens.act("resume", Map.of("name", "inbox")));
    assertThat(canClaim("inbox/ann")).isTrue();
  }

  @Test
  void shouldWriteAndRemoveThePolicyOfAPrefix() {
    assertThat(page("/do/policy", PREFIX))
        .contains("Edit the policy: prefix mail/", "Failures until a task dies")
        .doesNotContain("Makes it a pool", "Groups, which make it a topic");
    String preview =
        page("/do/policy", with(PREFIX, "version", "-1", "preview", "yes", "attempts_max", "5"));
    assertThat(preview)
        .contains("What changes", "absent", ">5<", "It applies to the prefix mail/ at once.")
        .contains("The names of 0 queues begin with mail/; those for dead tasks are left out.");
    HttpResponse<String> written =
        screens.act("policy", with(PREFIX, "version", "-1", "preview", "yes", "attempts_max", "5"));
    assertThat(screens.after(written))
        .contains("The policy is written.", "Rules, version 1", "Failures until a task dies");
    assertThat(entry(Policies.Target.prefix("mail/")).orElseThrow().rules())
        .contains(QueuePolicy.prefix("mail/").attempts(5));
    assertThat(screens.page("/queue", "name", "mail/a"))
        .contains("Policy of all queues whose names begin with mail/", "The policy of the prefix");
    assertThat(screens.page("/queue", "name", "mail/a/err")).contains("No policy applies");

    assertThat(page("/do/drop-policy", PREFIX))
        .contains("Remove the policy: prefix mail/", "Rules that end", ">5<");
    assertThat(screens.after(screens.act("drop-policy", PREFIX)))
        .contains("The policy is removed.", "There are no rules and no pause of the prefix mail/.");
    assertThat(entry(Policies.Target.prefix("mail/"))).isEmpty();
    assertThat(screens.get("/console/do/drop-policy?target=prefix&name=mail%2F").statusCode())
        .isEqualTo(404);
  }

  @Test
  void shouldWriteALimiterAndSayWhatItBlocks() {
    screens.queue.policies().put(QueuePolicy.of("a").limiters("stripe-api"));
    screens.queue.policies().put(Limiter.of("stripe-api").inFlight(5));
    insert("a");
    insert("a");
    assertThat(canClaim("a")).isTrue();
    assertThat(canClaim("a")).isTrue();
    String form = page("/do/policy", LIMITER);
    assertThat(form)
        .contains("Edit the limiter stripe-api", "Tasks in flight at most")
        .doesNotContain("Failures until a task dies");
    Map<String, String> entered =
        with(LIMITER, "version", "1", "preview", "yes", "in_flight_max", "2");
    assertThat(page("/do/policy", entered))
        .contains("2 tasks are in flight, so no more start until fewer than 2 are.")
        .contains("shared by the queues of these policies: queue a.", "Write the limiter");
    assertThat(screens.after(screens.act("policy", entered)))
        .contains("The limiter is written.", "Rules, version 2", "In flight", ">2<");
    assertThat(entry(Policies.Target.limiter("stripe-api")).orElseThrow().rules())
        .contains(Limiter.of("stripe-api").inFlight(2));
    Map<String, String> later =
        with(LIMITER, "version", "2", "preview", "yes", "in_flight_max", "3");
    assertThat(screens.act("policy", later, "version", "1").body())
        .contains("Something has changed since you looked at it, so nothing was done.");
    assertThat(screens.after(screens.act("drop-policy", LIMITER)))
        .contains("The limiter is removed.");
  }

  @Test
  void shouldEditRulesOfWhatIsOnlyPaused() {
    screens.after(screens.act("pause", LIMITER));
    Map<String, String> entered =
        with(LIMITER, "version", "1", "preview", "yes", "in_flight_max", "2");
    assertThat(screens.after(screens.act("policy", entered)))
        .contains("The limiter is written.", "It is paused until somebody resumes it.");
  }

  @Test
  void shouldSayWhatAPrefixAndAPoolBlock() {
    screens.insight.answer(
        Method.SEARCH_QUEUES,
        SearchQueuesResponse.newBuilder()
            .setMatched(7)
            .addQueues(QueueFigures.newBuilder().setName("mail/a").setInFlight(9).setMembers(3))
            .build());
    assertThat(
            page(
                "/do/policy",
                with(PREFIX, "version", "-1", "preview", "yes", "in_flight_max", "9")))
        .contains("In the queue mail/a, 9 tasks are in flight, so no more start")
        .contains("The names of 7 queues begin with mail/");
    Map<String, String> pool =
        Map.of(
            "name",
            "mail/a",
            "version",
            "-1",
            "preview",
            "yes",
            "fair",
            "round robin",
            "pool_in_flight_max",
            "9");
    assertThat(page("/do/policy", pool))
        .contains("In the pool, 9 tasks are in flight", "The pool has 3 queues below it.");
    screens.queue.policies().put(QueuePolicy.of("mail/a").inFlight(100));
    assertThat(
            page(
                "/do/policy",
                with(PREFIX, "version", "-1", "preview", "yes", "in_flight_max", "9")))
        .as("the queue has a policy of its own")
        .doesNotContain("9 tasks are in flight");
  }

  @Test
  void shouldListPoliciesAndLimitersWithWhatUsesThem() {
    Policies policies = screens.queue.policies();
    policies.put(
        QueuePolicy.prefix("mail/").rate(100, Duration.ofSeconds(1)).limiters("stripe-api"));
    policies.put(
        QueuePolicy.of("inbox")
            .pool(QueuePolicy.Pool.of(QueuePolicy.Fairness.ROUND_ROBIN).inFlight(8)));
    policies.put(QueuePolicy.of("plain").attempts(3));
    policies.put(Limiter.of("stripe-api").inFlight(5));
    policies.put(Limiter.of("unused").inFlight(5));
    screens.queue.pause("inbox", Duration.ofMinutes(1));
    screens.insight.answer(
        Method.SEARCH_QUEUES,
        SearchQueuesResponse.newBuilder()
            .setMatched(7)
            .addQueues(QueueFigures.newBuilder().setName("inbox").setMembers(3))
            .build());
    assertThat(screens.page("/policies"))
        .contains("Prefixes", "100 in 1 s", "7 queues begin with it", "/console/queues?q=mail%2F")
        .contains("Pools", "<small>paused</small>", "3 queues below it", "?pool=inbox", ">8<")
        .contains("Limiters", ">prefix mail/<", "nothing", "Other queues", ">plain<")
        .contains("/console/do/policy?target=limiter&amp;name=stripe-api")
        .contains("/console/do/drop-policy?name=inbox");
    assertThat(screens.page("/policies", "q", "un"))
        .contains("unused", "There are none.")
        .doesNotContain("stripe-api</a>", ">plain<");
    assertThat(screens.page("/queues")).contains("href=\"/console/policies\"");
  }

  @Test
  void shouldShowManyPoliciesAPageAtATime() {
    for (int i = 0; i < 45; i++) {
      screens.queue.policies().put(Limiter.of("l%02d".formatted(i)).inFlight(1));
    }
    assertThat(screens.page("/policies"))
        .contains("There are 45.", "All of them", ">l19<")
        .doesNotContain(">l20<");
    assertThat(screens.page("/policies", "of", "limiters", "page", "2"))
        .contains(">l40<", ">l44<", "Previous")
        .doesNotContain(">l39<", "Next", "Prefixes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/policies?of=everything",
        "/policies?page=-1",
        "/policies?page=x",
        "/policy?target=prefix",
        "/policy?name=a",
        "/policy?target=tenant&name=a",
        "/do/pause?target=limiter",
        "/do/pause?target=all&name=a",
        "/do/insert?target=prefix&name=a",
        "/do/policy?target=prefix&name=",
        "/do/policy?target=limiter&name=a&preview=yes&version=x",
        "/do/policy?target=limiter&name=a&preview=yes&version=-1&in_flight_max=many"
      })
  void shouldRefuseWhatNamesNothing(String path) {
    assertThat(screens.get("/console" + path).statusCode()).isEqualTo(400);
  }

  @Test
  void shouldSayWhichRulesCannotBe() {
    assertThat(
            page(
                "/do/policy",
                with(PREFIX, "version", "-1", "preview", "yes", "fair", "round robin")))
        .contains("These rules are not valid")
        .doesNotContain("Write the policy");
    assertThat(
            page(
                "/do/policy",
                with(LIMITER, "version", "-1", "preview", "yes", "attempts_max", "5")))
        .contains("These rules are not valid");
    HttpResponse<String> forced =
        screens.act(
            "policy",
            with(LIMITER, "version", "-1", "preview", "yes", "in_flight_max", "5"),
            "attempts_max",
            "5");
    assertThat(forced.statusCode()).isEqualTo(400);
    assertThat(entry(Policies.Target.limiter("stripe-api"))).isEmpty();
  }
}
