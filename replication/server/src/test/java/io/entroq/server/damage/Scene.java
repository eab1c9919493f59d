package io.entroq.server.damage;

import io.entroq.api.Durability;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EngineEnvironment;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.maintenance.SteppedMaintenance;
import io.entroq.engine.time.ManualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Engines at work in a directory, one after the other: a world of one thread and one seed, on real
 * files. What they acknowledge goes into a {@link History}.
 */
final class Scene {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final Duration SNAPSHOT_INTERVAL = Duration.ofSeconds(20);
  private static final int SEGMENT_BYTES = 4 << 10;
  static final Slice QUEUE = new Slice("queue".getBytes(StandardCharsets.UTF_8));
  private static final IdFields ME = new IdFields().set(0, 42);

  final History history = new History();
  private final Durability level;
  private final SplittableRandom random;
  private final ManualClock clock = new ManualClock(START);
  private final SteppedMaintenance upkeep = new SteppedMaintenance();
  private final TaskDataFields data = new TaskDataFields();
  private Path directory;
  private DrivenEngine engine;
  private long nowNs;
  private long lastId;

  Scene(Path directory, Durability level, long seed) {
    this.directory = directory;
    this.level = level;
    this.random = new SplittableRandom(seed);
    data.queue().wrap("queue".getBytes(StandardCharsets.UTF_8));
    data.valueKind(1);
  }

  Path directory() {
    return directory;
  }

  Scene open() {
    EngineEnvironment seams =
        new EngineEnvironment(ChronicleLog.RUNS, FaultHook.NONE, random, () -> nowNs, upkeep);
    engine = DrivenEngine.open(config(directory, level, clock), (sequence, result) -> {}, seams);
    acknowledge();
    return this;
  }

  /** How each engine here is set up. */
  static EmbeddedConfig config(Path directory, Durability level, ManualClock clock) {
    return EmbeddedConfig.in(directory)
        .durability(level)
        .clock(clock)
        .segmentBytes(SEGMENT_BYTES)
        .snapshotInterval(SNAPSHOT_INTERVAL)
        .memoryBytesMax(64 << 20)
        .build();
  }

  /** So many inserts, every third time with a claim and a delete, each of them acknowledged. */
  Scene work(int inserts) {
    for (int i = 0; i < inserts; i++) {
      insert();
      claimAndDelete(i);
      if (random.nextInt(8) == 0) {
        engine.force();
      }
      acknowledge();
    }
    return this;
  }

  /** Commands of which nobody was told, as the force that would have allowed it never came. */
  Scene workUnforced(int inserts) {
    for (int i = 0; i < inserts; i++) {
      insert();
    }
    return this;
  }

  private void acknowledge() {
    if (level == Durability.DISK) {
      engine.force();
    }
    history.acknowledged = engine.sequence();
    history.note(engine);
  }

  private void insert() {
    pass(Duration.ofMillis(random.nextInt(5)));
    lastId++;
    data.value().wrap(new byte[50 + random.nextInt(300)]);
    engine.modify().claimant(ME).insert(new IdFields().set(1, lastId), data);
    require(engine.executeUnforced());
    history.task(engine.commandSequence(), lastId, engine.result().inserted(0).version());
    history.note(engine);
  }

  private void claimAndDelete(int turn) {
    if (turn % 3 != 2) {
      return;
    }
    engine.claim().claimant(ME).queue(QUEUE).leaseMs(1_000);
    if (engine.executeUnforced() != ResultCodes.OK || engine.result().claimedCount() == 0) {
      return;
    }
    TaskDecoder claimed = engine.result().claimed(0);
    long id = claimed.idLow();
    int version = claimed.version();
    history.task(engine.commandSequence(), id, version);
    history.note(engine);
    if (random.nextBoolean()) {
      engine.modify().claimant(ME).delete(new IdFields().set(1, id), version, QUEUE);
      require(engine.executeUnforced());
      history.deleted(engine.commandSequence(), id);
      history.note(engine);
    }
  }

  private static void require(int code) {
    if (code != ResultCodes.OK) {
      throw new AssertionError("code " + code);
    }
  }

  private void pass(Duration time) {
    clock.advance(time);
    nowNs += time.toNanos();
  }

  /** A snapshot as of now, and the end of what it makes superfluous. */
  Scene snapshot() {
    long taken = engine.stats().snapshots().taken();
    pass(SNAPSHOT_INTERVAL);
    for (int i = 0; i < 4 && engine.stats().snapshots().taken() == taken; i++) {
      upkeep.step();
      engine.poll();
    }
    if (engine.stats().snapshots().taken() == taken) {
      throw new AssertionError("no snapshot was taken");
    }
    engine.poll();
    return this;
  }

  Scene close() {
    engine.close();
    return this;
  }

  /**
   * Goes on in a copy of the directory as it is while the engine is at work: what kill -9 would
   * leave.
   */
  Scene killInto(Path copy) throws IOException {
    Tree.copy(directory, copy);
    engine.abandon();
    directory = copy;
    return this;
  }

  /** Keeps what the directory is now, so that it can be put back as something stale. */
  Scene keepIn(Path copy) throws IOException {
    Tree.copy(directory, copy);
    return this;
  }

  /** Takes away the end of the last record, as if a crash had torn it. */
  Scene tear() throws IOException {
    List<Path> segments = Tree.segments(directory);
    Path last = segments.get(segments.size() - 1);
    List<FoundRecord> records = FoundRecord.in(last);
    FoundRecord torn = records.get(records.size() - 1);
    Tree.write(last, torn.offset() + torn.length() - 8, new byte[8]);
    history.forgetBehind(torn.sequence() - 1);
    return this;
  }
}
