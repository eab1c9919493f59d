package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeScreenTest {
  private final ServedScreens screens = new ServedScreens();

  @AfterEach
  void close() {
    screens.close();
  }

  @Test
  void shouldShowWhatChangedBetweenTwoMoments() {
    screens.queue.policies().put(QueuePolicy.of("q").attempts(1));
    Task old = screens.queue.modify(Modification.insert("q", "1")).orThrow().inserted().get(0);
    screens.queue.advance(Duration.ofHours(1));
    Task claimed = screens.queue.tryClaim(Claim.from("q").withClaimant("w")).orElseThrow();
    screens.queue.modify(Modification.fail(claimed, "no").withClaimant("w")).orThrow();
    screens.queue.advance(Duration.ofHours(1));
    Task young = screens.queue.modify(Modification.insert("x", "2")).orThrow().inserted().get(0);
    String all = screens.page("/time", "from", "1");
    assertThat(all).contains(old.id().text(), young.id().text(), ">new<", "Tasks that changed");
    String some = screens.page("/time", "from", "2026-01-01T00:30", "to", "2026-01-01T01:30:00Z");
    assertThat(some)
        .contains(old.id().text(), ">q/err<", "Moved to q/err: failed too often<small>w</small>")
        .doesNotContain(young.id().text());
    assertThat(screens.page("/time", "from", "2026-01-01T01:30"))
        .contains(young.id().text())
        .doesNotContain(old.id().text());
  }

  @Test
  void shouldCountTheTasksThatItDoesNotShow() {
    for (int i = 0; i < 502; i++) {
      screens.queue.modify(Modification.insert("q", "1")).orThrow();
    }
    Task last = screens.queue.modify(Modification.insert("x", "2")).orThrow().inserted().get(0);
    assertThat(screens.page("/time", "from", "1"))
        .contains("The first 500 of 503 tasks that changed")
        .doesNotContain(last.id().text());
  }

  @Test
  void shouldSayWhatIsKeptAndHowToBranch() {
    screens.queue.modify(Modification.insert("q", "1")).orThrow();
    assertThat(screens.page("/time"))
        .contains("of the log are kept", "entroq branch --at ", "--data DIR try-out");
    assertThat(screens.page("/time", "from", "2026-01-01T00:00"))
        .contains("entroq at --time 2026-01-01T00:00:00Z --data DIR stats");
    for (String from : new String[] {"yesterday", "%2B999999999-12-31T00:00"}) {
      assertThat(screens.get("/console/time?from=" + from).body())
          .contains("From: expected the number of a record, or a time such as");
    }
    assertThat(screens.get("/console/time?from=1%3Bls").body())
        .contains("From: expected the number of a record")
        .doesNotContain("--time 1;", "--at 1;");
  }
}
