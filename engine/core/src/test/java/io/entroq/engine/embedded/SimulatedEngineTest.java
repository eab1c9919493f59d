package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.PlainRuns;
import io.entroq.engine.log.RunAppender;
import io.entroq.engine.log.RunFactory;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.maintenance.SteppedMaintenance;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine that takes nothing from its machine but a directory. */
class SimulatedEngineTest {
  private static final int COMMANDS = 2_000;

  /** What a thread keeps of its own for channels; a state takes many times as much. */
  private static final int BUFFERS_OF_A_THREAD = 64 << 10;

  @TempDir Path directory;

  @Test
  void shouldTakeSnapshotsAndLetGoOfTheLogInSteps() {
    SimulatedEngine world = new SimulatedEngine(directory, 1);
    Map<FaultPoint, Integer> passes = new EnumMap<>(FaultPoint.class);
    world.withFaults(point -> passes.merge(point, 1, Integer::sum));
    try (DrivenEngine engine = world.open()) {
      world.work(COMMANDS);
      SnapshotStats snapshots = engine.stats().snapshots();
      assertThat(snapshots.taken()).isGreaterThan(3);
      assertThat(snapshots.failed()).isZero();
      assertThat(snapshots.logBytesFreed()).isPositive();
      assertThat(snapshots.pauseMaxNs()).as("the world's time stood still").isZero();
      assertThat(threadNames()).doesNotContain("entroq-snapshot");
    }
    assertThat(passes).containsOnlyKeys(FaultPoint.values());
  }

  private static List<String> threadNames() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  @Test
  void shouldTakeASnapshotWhenTheWorldSaysThatTimeHasPassed() {
    SimulatedEngine world = new SimulatedEngine(directory, 1);
    try (DrivenEngine engine = world.open()) {
      world.work(10);
      engine.poll();
      world.upkeep.step();
      assertThat(engine.stats().snapshots().taken()).isZero();

      world.pass(SimulatedEngine.SNAPSHOT_INTERVAL);
      world.upkeep.step();
      assertThat(world.upkeep.hasSnapshot()).isFalse();
      engine.poll();
      assertThat(world.upkeep.hasSnapshot()).isTrue();
      world.upkeep.step();
      engine.poll();
      assertThat(engine.stats().snapshots().taken()).isEqualTo(1);
    }
  }

  @Test
  void shouldGiveBackASnapshotThatWasNeverBegun() {
    SimulatedEngine world = new SimulatedEngine(directory, 1);
    DrivenEngine engine = world.open();
    world.work(9);
    world.pass(SimulatedEngine.SNAPSHOT_INTERVAL);
    world.upkeep.step();
    engine.poll();
    assertThat(world.upkeep.hasSnapshot()).isTrue();
    engine.close();
    assertThat(world.upkeep.hasSnapshot()).isFalse();
    world.upkeep.step();
    world.open().close();
  }

  @Test
  void shouldNotServeTwoEnginesAtOnce() {
    SteppedMaintenance upkeep = new SteppedMaintenance();
    EngineEnvironment seams = EngineEnvironment.ofThisMachine().withUpkeep(upkeep);
    Path other = directory.resolve("other");
    EmbeddedConfig config = EmbeddedConfig.in(directory.resolve("one")).build();
    try (DrivenEngine one = DrivenEngine.open(config, (sequence, result) -> {}, seams)) {
      assertThatThrownBy(
              () ->
                  DrivenEngine.open(
                      EmbeddedConfig.in(other).build(), (sequence, result) -> {}, seams))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another engine");
      assertThat(one.taskCount()).isZero();
    }
    DrivenEngine.open(EmbeddedConfig.in(other).build(), (sequence, result) -> {}, seams).close();
  }

  @Test
  void shouldComeToTheSameFromTheSameSeed() {
    assertThat(digest("a", 5)).isEqualTo(digest("b", 5)).isNotEqualTo(digest("c", 6));
  }

  private String digest(String name, long seed) {
    SimulatedEngine world = new SimulatedEngine(directory.resolve(name), seed);
    DrivenEngine first = world.open();
    world.work(COMMANDS / 4);
    first.close();
    try (DrivenEngine engine = world.open()) {
      world.work(COMMANDS / 4);
      return "%d %x %x %s"
          .formatted(
              engine.sequence(),
              engine.machine().historyDigest(),
              engine.machine().contentDigest(),
              engine.stats().snapshots());
    }
  }

  /** Dies at a point, or somewhere in its log, and from then on can do nothing any more. */
  private static final class Death implements RunFactory {
    private final FaultPoint point;
    private int left;
    private boolean isDead;

    Death(FaultPoint point, int passes) {
      this.point = point;
      this.left = passes;
    }

    void reached(FaultPoint where) {
      if (where == point) {
        tick();
      }
    }

    private void tick() {
      left--;
      if (left == 0) {
        isDead = true;
      }
      requireAlive();
    }

    private void requireAlive() {
      if (isDead) {
        throw new UncheckedIOException(new ClosedChannelException());
      }
    }

    @Override
    public RunAppender open(Path run, LogConfig config) {
      RunAppender sound = new PlainRuns().open(run, config);
      return new RunAppender() {
        @Override
        public void roll() {
          requireAlive();
          sound.roll();
        }

        @Override
        public MutableDirectBuffer open(long position, int length) {
          requireAlive();
          return sound.open(position, length);
        }

        @Override
        public void commit() {
          if (point == null) {
            tick();
          }
          sound.commit();
        }

        @Override
        public void rollback() {
          requireAlive();
        }

        @Override
        public Path file() {
          return sound.file();
        }

        @Override
        public void close() {
          sound.close();
          requireAlive();
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource(FaultPoint.class)
  void shouldGiveEverythingBackWhereverItDies(FaultPoint point) {
    // Once to load classes and buffers that stay.
    die("first", new Death(point, 1));
    long before = directBytes();
    die("second", new Death(point, 1));
    die("third", new Death(point, 2));
    awaitDirectBytes(before + BUFFERS_OF_A_THREAD);
  }

  @Test
  void shouldGiveEverythingBackWhenItsLogDies() {
    die("first", new Death(null, 1));
    long before = directBytes();
    for (int records = 1; records < 300; records += 13) {
      die("log" + records, new Death(null, records));
    }
    awaitDirectBytes(before + BUFFERS_OF_A_THREAD);
  }

  /** A few small buffers of each engine are left to the collector; no state is. */
  private static void awaitDirectBytes(long most) {
    Await.until(
        "direct memory is given back",
        () -> {
          System.gc();
          return directBytes() < most;
        });
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Runs until it dies, which for some is the end of their second life, and lives again. */
  private void die(String name, Death death) {
    Path place = directory.resolve(name);
    SimulatedEngine world =
        new SimulatedEngine(place, 1).withRuns(death).withFaults(death::reached);
    for (int life = 0; life < 2 && !death.isDead; life++) {
      live(world, death);
    }
    if (death.point != null && death.left > 0) {
      assertThat(death.point).isEqualTo(FaultPoint.BEFORE_CLOSED_MARK);
    }
    SimulatedEngine again = new SimulatedEngine(place, 2);
    try (DrivenEngine engine = again.open()) {
      assertThat(engine.machine().recomputeContentDigest())
          .isEqualTo(engine.machine().contentDigest());
      again.work(20);
    }
    assertThat(Files.exists(place.resolve("closed"))).isTrue();
    assertThat(LogDirectory.read(place).runs()).isNotEmpty();
  }

  private static void live(SimulatedEngine world, Death death) {
    DrivenEngine engine = null;
    try {
      engine = world.open();
      world.work(COMMANDS);
    } catch (RuntimeException e) {
      assertThat(death.isDead).as("died of %s", e).isTrue();
    }
    if (engine == null) {
      return;
    }
    if (death.isDead) {
      engine.abandon();
      engine.abandon();
    }
    try {
      engine.close();
    } catch (RuntimeException e) {
      assertThat(death.isDead).as("died of %s", e).isTrue();
    }
  }
}
