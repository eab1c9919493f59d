package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.process.ShortLived;
import io.entroq.jdbc.Outbox;
import io.entroq.jdbc.Processed;
import io.entroq.service.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each order is shipped once, although database, queue and application are killed in turns. */
@Tag("long")
@Timeout(900)
class KilledApplicationIT {
  private static final long SEED = Long.getLong("test.seed", System.nanoTime());
  private static final int ROUNDS = 10;

  /** Most time for which one of them is away, or between two kills. */
  private static final int MOST_MICROS = 500_000;

  /** One kill in so many is followed by the next at once, so that two are away. */
  private static final int TWO_AWAY = 3;

  @TempDir private Path directory;
  private final Random random = new Random(SEED);
  private final List<Killed> all = new ArrayList<>();
  private KilledPostgres postgres;
  private int queuePort;

  /** What starts a process; again and again, as it may have to wait for what a kill has left. */
  @FunctionalInterface
  private interface Command {
    List<String> arguments() throws IOException;
  }

  /** One of the three. */
  private final class Killed {
    private final String name;
    private final Command command;
    private Process process;
    private int kills;

    private Killed(String name, Command command) {
      this.name = name;
      this.command = command;
    }

    private void start() {
      try {
        Path log = directory.resolve(name + ".log");
        process =
            new ProcessBuilder(command.arguments())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private void startIfDead() {
      if (process == null || !process.isAlive()) {
        start();
      }
    }

    private void kill() {
      kills++;
      stop();
    }

    private void stop() {
      if (process != null) {
        try {
          process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }

    private Path log() {
      return directory.resolve(name + ".log");
    }
  }

  @BeforeEach
  void create() throws Exception {
    assumeTrue(KilledPostgres.canRun(), "PostgreSQL needs user namespaces to run as root");
    postgres = KilledPostgres.create(directory.resolve("postgres"), ServedQueue.freePort());
    queuePort = ServedQueue.freePort();
    all.add(new Killed("database", postgres::command));
    all.add(
        new Killed(
            "queue",
            () -> java(KilledQueue.class, directory.resolve("queue").toString(), "" + queuePort)));
    all.add(new Killed("application", () -> application("run" + System.nanoTime())));
  }

  @AfterEach
  void stop() {
    all.forEach(Killed::stop);
  }

  private List<String> application(String run) {
    return java(
        KilledShop.class,
        "--shop.run=" + run,
        "--entroq.address=localhost:" + queuePort,
        "--entroq.outbox.poll-interval=100ms",
        "--spring.datasource.url=" + postgres.url(),
        "--spring.datasource.hikari.connection-timeout=1000",
        "--spring.main.web-application-type=none",
        "--spring.main.banner-mode=off");
  }

  private static List<String> java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ShortLived.FLAGS);
    command.addAll(List.of("-Xmx256m", "-Dorg.springframework.boot.logging.LoggingSystem=none"));
    command.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  private void pause() {
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MOST_MICROS)));
  }

  /** Starts what is dead until the condition holds. */
  private void untilAllRun(String what, BooleanSupplier condition) {
    Await.until(
        what,
        Duration.ofMinutes(1),
        () -> {
          all.forEach(Killed::startIfDead);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
          return condition.getAsBoolean();
        });
  }

  /** All are back when an order was shipped that nobody had taken before. */
  private void untilAtWork() {
    untilAllRun("the database answers", () -> count("orders") >= 0);
    long taken = count("orders");
    untilAllRun("new orders are shipped", () -> count("shipped") > taken);
  }

  @Test
  void shouldShipEachOrderOnceWhateverIsKilled() throws Exception {
    System.out.println("seed " + SEED);
    all.get(0).start();
    Await.until("the database answers", this::canConnect);
    createTables();
    untilAtWork();
    long startNanos = System.nanoTime();
    for (int round = 0; round < ROUNDS; round++) {
      List<Killed> turns = new ArrayList<>(all);
      Collections.shuffle(turns, random);
      for (Killed killed : turns) {
        pause();
        killed.kill();
        if (random.nextInt(TWO_AWAY) > 0) {
          pause();
          untilAtWork();
        }
      }
    }
    untilAtWork();
    finish(Duration.ofNanos(System.nanoTime() - startNanos));
  }

  /** Nobody orders any more; what is left is shipped, and then all is there once. */
  private void finish(Duration took) throws IOException, InterruptedException {
    Killed application = all.get(2);
    application.stop();
    all.set(2, new Killed(application.name, () -> application("")));
    untilAllRun("all is relayed", () -> count("entroq_outbox") == 0);
    try (EntroQ queue = EntroQ.connect("localhost:" + queuePort)) {
      QueueQuery withErrors = QueueQuery.startingWith("orders");
      assertThat(queue.waitQueuesEmpty(withErrors, Duration.ofMinutes(1)))
          .as("no task is left, seed %d: %s", SEED, queue.queues(QueueQuery.all()))
          .isTrue();
    }
    List<String> orders = numbers("orders");
    List<String> acknowledged = printed(application, KilledShop.ORDERED);
    assertThat(orders).as("seed %d", SEED).containsAll(acknowledged).doesNotHaveDuplicates();
    assertThat(numbers("shipped")).as("shipped, seed %d", SEED).isEqualTo(orders);
    System.out.printf(
        "%d kills in %d s: database %d, queue %d, application %d; orders %d, of them acknowledged %d; each shipped once, %d handled again%n",
        all.get(0).kills + all.get(1).kills + application.kills,
        took.toSeconds(),
        all.get(0).kills,
        all.get(1).kills,
        application.kills,
        orders.size(),
        acknowledged.size(),
        printed(application, KilledShop.AGAIN).size());
  }

  private static List<String> printed(Killed application, String prefix) throws IOException {
    try (Stream<String> lines = Files.lines(application.log())) {
      return lines
          .filter(line -> line.startsWith(prefix))
          .map(line -> line.substring(prefix.length()))
          .toList();
    }
  }

  private void createTables() throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      Outbox.withDefaultPrefix().createTables(connection);
      Processed.withDefaultPrefix().createTable(connection);
      statement.execute("CREATE TABLE orders (number VARCHAR(40) PRIMARY KEY)");
      // Without a key, so that one may be shipped twice.
      statement.execute("CREATE TABLE shipped (number VARCHAR(40) NOT NULL)");
    }
  }

  private boolean canConnect() {
    try (Connection connection = postgres.connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  /** -1 while the database is away. */
  private long count(String table) {
    try {
      return Long.parseLong(query("SELECT COUNT(*) FROM " + table).get(0));
    } catch (SQLException e) {
      return -1;
    }
  }

  private List<String> numbers(String table) {
    try {
      return query("SELECT number FROM " + table).stream().sorted().toList();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> query(String sql) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
