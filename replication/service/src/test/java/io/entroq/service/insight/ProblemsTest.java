package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.edge.Problem;
import io.entroq.service.insight.sweep.SweepColumns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemsTest {
  private static final Path ALERTS = Path.of("../server/deploy/observability");
  private static final long MINUTE = 1_000_000;

  private final Problems problems = new Problems();
  private final RateBook rates = new RateBook(100, 100);

  private static ServerFigures figures(
      boolean hasLeader, long lag, long counts, boolean isLow, boolean isFull, long forceNs) {
    return new ServerFigures(hasLeader, lag, counts, isLow, isFull, counts, counts, 10, forceNs);
  }

  private static final ServerFigures GOOD = figures(true, 0, 7, false, false, 5_000);

  private void server(ServerFigures before, ServerFigures now, int minutes) {
    ServerHistory history = new ServerHistory();
    history.add(MINUTE - minutes, before);
    history.add(MINUTE, now);
    problems.server(now, history, MINUTE);
  }

  /** The alert says the same: its name, how urgent it is, and from which number on. */
  @ParameterizedTest
  @EnumSource(ProblemRule.class)
  void shouldBeWhatTheAlertsSay(ProblemRule rule) throws IOException {
    String alerts =
        Files.readString(ALERTS.resolve("alerts.yml"))
            + Files.readString(ALERTS.resolve("member-alerts.yml"));
    Matcher alert =
        Pattern.compile(
                "- alert: " + rule.alert() + "\n +expr:(.*?)\n +labels: \\{severity: ([a-z]+)}",
                Pattern.DOTALL)
            .matcher(alerts);
    assertThat(alert.find()).as(rule.alert()).isTrue();
    assertThat(alert.group(2)).isEqualTo(rule.severity().name().toLowerCase(Locale.ROOT));
    Matcher number = Pattern.compile("(>|==) ([0-9.]+)\\s").matcher(alert.group(1) + "\n");
    assertThat(number.find()).as(alert.group(1)).isTrue();
    boolean isOfOne = number.group(1).equals("==");
    assertThat(Double.parseDouble(number.group(2)))
        .as(alert.group(1))
        .isEqualTo(isOfOne && rule.threshold() == 0 ? 0 : rule.threshold());
  }

  /** The present, in a minute since the epoch. */
  private static Moment minute(long minute) {
    return new Moment(Long.MAX_VALUE, () -> minute * 60);
  }

  @Test
  void shouldFindNothingWrongWithAServerThatIsWell() {
    server(GOOD, GOOD, 5);
    problems.rates(rates, minute(MINUTE));
    problems.queues(SweepColumns.NONE, new BitSet(), 0);
    assertThat(problems.toList()).isEmpty();
  }

  @Test
  void shouldFindWhatIsWrongWithTheServer() {
    server(GOOD, figures(false, 1L << 30, 8, true, true, 5_000), 5);
    assertThat(problems.toList())
        .extracting(Problem::getAlert)
        .containsExactly(
            "EntroqMemberOutOfTouch",
            "EntroqDiskFull",
            "EntroqDiskLow",
            "EntroqMemoryRefusals",
            "EntroqMembersDisagree",
            "EntroqMemberBehind",
            "EntroqSnapshotsFail");
    assertThat(problems.toList().get(0).getSeverity()).isEqualTo("page");
  }

  @Test
  void shouldFindADiskThatIsSlow() {
    ServerFigures now =
        new ServerFigures(true, 0, 7, false, false, 7, 7, 20, 5_000 + 10 * 150_000_000L);
    server(GOOD, now, 5);
    assertThat(problems.toList())
        .extracting(Problem::getText)
        .containsExactly("the disk needs 150 ms for a force");
  }

  @Test
  void shouldForgetWhatIsLongAgo() {
    server(GOOD, figures(true, 0, 8, false, false, 5_000), 61);
    assertThat(problems.toList()).isEmpty();
  }

  @Test
  void shouldFindWhatWasCounted() {
    rates.second(MINUTE * 60);
    rates.grow(rates.entry("jobs/err"), 1);
    rates.grow(rates.entry("old/err"), -1);
    for (int i = 0; i < 11; i++) {
      rates.count(rates.entry("jobs"), Event.LAPSED);
      rates.count(rates.entry("jobs"), Event.DEAD);
    }
    for (int i = 0; i < 10; i++) {
      rates.count(rates.entry("few"), Event.LAPSED);
    }
    rates.endSecond();
    problems.rates(rates, minute(MINUTE));
    assertThat(problems.toList())
        .extracting(problem -> problem.getAlert() + " " + problem.getQueue())
        .containsExactly(
            "EntroqQuarantineGrows jobs/err", "EntroqTasksDie jobs", "EntroqLeasesLapse jobs");
    assertThat(problems.toList().get(0).getText())
        .isEqualTo("jobs/err grows: +1 dead tasks in 30 minutes");
  }

  @Test
  void shouldForgetWhatWasCountedLongAgoEvenIfNothingHappens() {
    rates.second(MINUTE * 60);
    rates.grow(rates.entry("jobs/err"), 1);
    problems.rates(rates, minute(MINUTE + 29));
    assertThat(problems.toList()).hasSize(1);
    Problems later = new Problems();
    later.rates(rates, minute(MINUTE + 30));
    assertThat(later.toList()).isEmpty();
  }

  @Test
  void shouldTellOfNoMoreThanPeopleRead() {
    rates.second(MINUTE * 60);
    for (int i = 0; i < 90; i++) {
      rates.grow(rates.entry("q" + i + "/err"), 1);
    }
    problems.rates(rates, minute(MINUTE));
    assertThat(problems.toList()).hasSize(20);
  }
}
