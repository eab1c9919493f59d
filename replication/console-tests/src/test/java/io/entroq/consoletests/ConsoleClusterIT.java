package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WindowType;

/** The console of a member that does not lead, while others die. */
@Tag("long")
class ConsoleClusterIT {
  /** Longer than an action waits, and much longer than a page, in milliseconds. */
  private static final double ANSWER_MS_MAX = 15_000;

  private static final String DONE = "The task is inserted.";
  private static final String REFUSED = "othing was done";
  private static final String UNKNOWN = "Nobody knows whether it was done";

  @TempDir private static Path directory;
  private static Browser browser;
  private static ServedCluster cluster;
  private static int leader;

  private QueueApi follower;
  private String queue;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start();
    cluster = ServedCluster.start(directory);
    leader = cluster.awaitReady();
  }

  @AfterAll
  static void close() {
    if (cluster != null) {
      cluster.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void insert(TestInfo test) {
    follower = cluster.member((leader + 1) % 3);
    queue = test.getTestMethod().orElseThrow().getName();
    follower.insert(queue, "1");
  }

  @Test
  void shouldTakeASnapshotWhereTheLeaderIs() {
    browser.open(follower.url("/cluster"));
    browser.follow("Take a snapshot");
    browser.press("Take a snapshot", "member %d at 127.0.0.1 does".formatted(leader));
    browser.open(cluster.member(leader).url("/cluster"));
    browser.follow("Take a snapshot");
    browser.press("Take a snapshot", "A snapshot has begun.");
    browser.awaitWords("Age of the newest snapshot");
  }

  @Test
  void shouldSayWhatBecameOfAnActionWhenTheLeaderDies() throws Exception {
    browser.open(follower.url("/do/insert?name=" + queue));
    browser.fill("value", "2");
    cluster.kill(leader);
    browser.press("Insert a task", DONE, REFUSED, UNKNOWN);
    assertThat(browser.slowestAnswerMs()).isLessThan(ANSWER_MS_MAX);
    String said = browser.text();
    leader = cluster.awaitReady();
    int inserted = follower.tasks(queue).size() - 1;
    assertThat(inserted).isBetween(said.contains(DONE) ? 1 : 0, said.contains(REFUSED) ? 0 : 1);
  }

  @Test
  void shouldSayThatThereIsNoLeaderAndGoOnOnceThereIsOne() throws Exception {
    int other = (leader + 2) % 3;
    browser.open(follower.url("/queue?name=" + queue));
    browser.awaitText("Tasks\\s+1\\b");
    browser.run("window.isSamePage = true");
    String live = browser.driver().getWindowHandle();
    cluster.hang(leader);
    cluster.hang(other);
    browser.await("document.body.classList.contains('stale')");
    browser.awaitText("Tasks\\s+1\\b");
    browser.driver().switchTo().newWindow(WindowType.WINDOW);
    browser.open(follower.url("/cluster"));
    browser.awaitWords("This member knows no leader");
    assertThat(browser.slowestAnswerMs()).isLessThan(ANSWER_MS_MAX);

    cluster.kill(leader);
    cluster.kill(other);
    leader = cluster.awaitReady();
    browser.driver().switchTo().window(live);
    follower.insert(queue, "2");
    browser.awaitText("Tasks\\s+2\\b");
    browser.await("!document.body.classList.contains('stale')");
    assertThat(browser.run("return window.isSamePage")).isEqualTo(true);
    assertThat(browser.slowestAnswerMs()).isLessThan(ANSWER_MS_MAX);
  }
}
